use std::time::Duration;

use serde_json::{Value, json};
use toolcrib::state::CallState;
use toolcrib_counter::{CallOutcome, CounterOptions, Level};
use toolcrib_data::platform::calls;

use crate::support::{Desk, Does};

async fn stored(desk: &Desk, outcome: &CallOutcome) -> calls::CallRow {
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    calls::get(&mut snapshot, desk.principal.org, outcome.row.id)
        .await
        .unwrap()
        .unwrap()
}

#[tokio::test]
async fn a_trial_runs_without_asking_and_leaves_only_its_own_row() {
    for level in [Level::Write, Level::Destructive] {
        let desk = Desk::with(level, false, Does::Writes).await;
        let outcome = desk.attempt("{\"word\": \"tried\"}").await;
        assert_eq!(outcome.row.state, CallState::Succeeded, "{level:?}");
        assert_eq!(outcome.text().content, "{\"word\":\"tried\"}");
        assert!(outcome.approval.is_none(), "nobody is asked");
        assert_eq!(desk.run_count(), 1, "it really ran");
        assert_eq!(desk.written().await, None, "what it wrote is gone");
        let row = stored(&desk, &outcome).await;
        assert_eq!(row.state, CallState::Succeeded);
        let trial: Value = serde_json::from_str(row.trial.as_deref().unwrap()).unwrap();
        assert_eq!(
            trial.pointer("/wouldChange/title"),
            Some(&json!("A tool for tests"))
        );
    }
}

#[tokio::test]
async fn a_trial_that_fails_says_so_and_would_have_changed_nothing() {
    let desk = Desk::with(Level::Write, false, Does::WritesThenFails).await;
    let outcome = desk.attempt("{}").await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert_eq!(outcome.text().content, "It did not work.");
    let row = stored(&desk, &outcome).await;
    let trial: Value = serde_json::from_str(row.trial.as_deref().unwrap()).unwrap();
    assert_eq!(trial, json!({"wouldChange": null}));
}

#[tokio::test]
async fn what_a_rollback_does_not_undo_is_not_tried() {
    let cases = [
        (Level::Write, true, Does::Answers),
        (Level::Write, false, Does::CantBeUndone),
        (Level::ReadOnly, true, Does::CantBeUndone),
    ];
    for (level, outside, does) in cases {
        let desk = Desk::with(level, outside, does).await;
        let outcome = desk.attempt("{}").await;
        assert_eq!(outcome.row.state, CallState::Refused);
        assert!(
            outcome.text().content.contains("can't be undone"),
            "{outcome:?}"
        );
        assert_eq!(desk.run_count(), 0);
        assert!(stored(&desk, &outcome).await.trial.is_some());
    }
    let desk = Desk::with(Level::ReadOnly, true, Does::Answers).await;
    let outcome = desk.attempt("{}").await;
    assert_eq!(
        outcome.row.state,
        CallState::Succeeded,
        "reading leaves nothing to undo"
    );
}

#[tokio::test]
async fn what_runs_in_the_browser_is_left_out_of_a_trial() {
    let desk = Desk::with(Level::ReadOnly, false, Does::RunsInTheBrowser).await;
    let outcome = desk.attempt("{}").await;
    assert_eq!(outcome.row.state, CallState::Refused);
    assert!(outcome.text().content.contains("in the browser"));
    assert_eq!(desk.run_count(), 0);
}

#[tokio::test]
async fn a_trial_that_takes_too_long_is_refused_and_others_write_on() {
    let options = CounterOptions {
        trial_limit: Duration::from_millis(50),
        ..CounterOptions::default()
    };
    let desk = Desk::with_options(Level::Write, false, Does::Hangs, options).await;
    let trial = desk.attempt("{}");
    let write = async {
        while desk.run_count() == 0 {
            tokio::task::yield_now().await;
        }
        let unit = desk.counter.store().unit().await.unwrap();
        unit.commit().await.unwrap();
    };
    let (outcome, ()) = tokio::join!(trial, write);
    assert_eq!(outcome.row.state, CallState::Refused);
    assert!(
        outcome.text().content.contains("took too long to try"),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_trial_waits_only_so_long_for_its_turn() {
    let options = CounterOptions {
        trial_limit: Duration::from_millis(50),
        ..CounterOptions::default()
    };
    let desk = Desk::with_options(Level::Write, false, Does::Writes, options).await;
    let held = desk.counter.store().unit().await.unwrap();
    let free = async {
        // Longer than the limit; the two timers are polled in order.
        tokio::time::sleep(Duration::from_millis(150)).await;
        drop(held);
    };
    let (outcome, ()) = tokio::join!(desk.attempt("{}"), free);
    assert_eq!(outcome.row.state, CallState::Refused);
    assert!(
        outcome.text().content.contains("busy with other writes"),
        "{outcome:?}"
    );
    assert_eq!(desk.run_count(), 0);
}

#[tokio::test]
async fn rights_and_offers_hold_in_a_trial() {
    let desk = Desk::with(Level::Write, false, Does::RefusesUser).await;
    let outcome = desk.attempt("{}").await;
    assert_eq!(outcome.text().content, "Not for you.");
    assert_eq!(desk.run_count(), 0);
}
