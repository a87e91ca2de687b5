use tokio_util::sync::CancellationToken;
use toolcrib::state::{CallState, WaitingFor};
use toolcrib_counter::Level;
use toolcrib_data::platform::calls;

use crate::support::{Desk, Does};

async fn states(desk: &Desk, id: toolcrib::id::CallId) -> Vec<CallState> {
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    let events = calls::events(&mut snapshot, desk.principal.org, id)
        .await
        .unwrap();
    events.into_iter().map(|event| event.state).collect()
}

#[tokio::test]
async fn every_call_is_stored_with_its_story() {
    let desk = Desk::with(Level::ReadOnly, false, Does::Answers).await;
    let outcome = desk.call("{\"word\": \"hi\"}").await;
    assert_eq!(outcome.row.state, CallState::Succeeded);
    assert_eq!(outcome.text().content, "{\"word\":\"hi\"}");
    assert_eq!(
        states(&desk, outcome.row.id).await,
        [CallState::Asked, CallState::Succeeded]
    );
    assert_eq!(
        outcome.row.found.unwrap().version,
        1,
        "the version that ran is on the call"
    );
}

#[tokio::test]
async fn failure_panic_and_time_are_failures_of_that_call_alone() {
    for (does, said) in [
        (Does::Fails, "It did not work."),
        (Does::Panics, "The tool broke down."),
        (Does::Hangs, "The tool did not finish in time."),
    ] {
        for (level, outside) in [(Level::ReadOnly, false), (Level::ReadOnly, true)] {
            let desk = Desk::with(level, outside, does).await;
            let outcome = desk.call("{}").await;
            assert_eq!(outcome.row.state, CallState::Failed, "{said}");
            assert!(
                outcome.text().content.contains(said),
                "{}",
                outcome.text().content
            );
            assert!(outcome.text().is_error);
        }
    }
}

#[tokio::test]
async fn an_outside_tool_that_changes_something_and_does_not_answer_ends_as_unknown() {
    let desk = Desk::with(Level::Write, true, Does::Hangs)
        .await
        .without_asking()
        .await;
    let outcome = desk.call("{}").await;
    assert_eq!(outcome.row.state, CallState::Unknown);
    assert!(
        outcome.text().content.contains("may have happened"),
        "{}",
        outcome.text().content
    );
    assert_eq!(
        states(&desk, outcome.row.id).await,
        [CallState::Asked, CallState::Running, CallState::Unknown]
    );
}

#[tokio::test]
async fn a_call_that_was_running_when_the_server_died_is_marked_and_never_run_again() {
    let desk = Desk::with(Level::Write, true, Does::Hangs)
        .await
        .without_asking()
        .await;
    let cancel = CancellationToken::new();
    {
        // The server is gone half-way: the future is dropped while the tool runs.
        let call = desk.call_cancelled("{}", cancel.clone());
        let until_running = async {
            while desk.run_count() == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            _ = call => {}
            () = until_running => {}
        }
    }
    let filter = calls::CallFilter {
        state: Some("running".to_owned()),
        ..calls::CallFilter::default()
    };
    let page = toolcrib_data::platform::Page {
        limit: 10,
        after: None,
    };
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    let left = calls::list(&mut snapshot, desk.principal.org, &filter, &page)
        .await
        .unwrap();
    drop(snapshot);
    assert_eq!(left.len(), 1, "the intent was stored before the tool ran");
    desk.counter
        .settle(desk.principal.org, left[0].id)
        .await
        .unwrap();
    let again = desk
        .counter
        .resume(&desk.principal, left[0].id, None, CancellationToken::new())
        .await;
    assert!(again.is_err(), "an ended call is not run again");
    assert_eq!(desk.run_count(), 1);
}

#[tokio::test]
async fn a_stop_cancels_before_anything_runs() {
    let desk = Desk::with(Level::ReadOnly, false, Does::Hangs).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = desk.call_cancelled("{}", cancel).await;
    assert_eq!(outcome.row.state, CallState::Cancelled);
    assert_eq!(desk.run_count(), 0);
}

#[tokio::test]
async fn a_tool_that_turns_the_user_away_does_not_run() {
    let desk = Desk::with(Level::ReadOnly, false, Does::RefusesUser).await;
    let outcome = desk.call("{}").await;
    assert_eq!(outcome.row.state, CallState::Refused);
    assert_eq!(outcome.text().content, "Not for you.");
    assert_eq!(desk.run_count(), 0);
}

#[tokio::test]
async fn levels_decide_whether_a_call_asks() {
    for (level, waits) in [
        (Level::ReadOnly, false),
        (Level::Write, true),
        (Level::Destructive, true),
    ] {
        let desk = Desk::with(level, false, Does::Answers).await;
        let outcome = desk.call("{}").await;
        let waiting = outcome.row.state == CallState::Waiting(WaitingFor::Approval);
        assert_eq!(waiting, waits, "{level:?}");
        assert_eq!(desk.run_count(), usize::from(!waits));
    }
    let desk = Desk::with(Level::Write, false, Does::Answers)
        .await
        .without_asking()
        .await;
    assert_eq!(desk.call("{}").await.row.state, CallState::Succeeded);
    let desk = Desk::with(Level::Destructive, false, Does::Answers)
        .await
        .without_asking()
        .await;
    assert!(
        desk.call("{}").await.approval.is_some(),
        "destructive always asks"
    );
}
