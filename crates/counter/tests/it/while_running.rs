//! What holds while a tool runs, and what is stored of it.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use jiff::SignedDuration;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcrib::ToolResult;
use toolcrib::state::CallState;
use toolcrib_counter::{CounterOptions, Level, Work};
use toolcrib_data::platform::calls::{self, CallFilter};
use toolcrib_data::platform::{Page, settings};
use toolcrib_data::{Clock, ManualClock};

use crate::props::Prop;
use crate::support::{Desk, Does};

async fn desk(prop: Prop) -> Desk {
    let options = CounterOptions::default();
    Desk::holding(options, Clock::system(), |registry, _| registry.add(prop)).await
}

/// A tool that tells the test of its stop and then waits for ever.
fn endless(level: Level, outside: bool) -> (Prop, Arc<Mutex<Vec<CancellationToken>>>) {
    let began = Arc::<Mutex<Vec<CancellationToken>>>::default();
    let tell = Arc::clone(&began);
    let prop = Prop {
        outside,
        ..Prop::new("tool", level)
    };
    let prop = prop.running(move |context, _| {
        tell.lock().unwrap().push(context.cancel.clone());
        std::future::pending().boxed()
    });
    (prop, began)
}

#[tokio::test]
async fn a_stop_reaches_the_tool_that_runs() {
    for (level, outside, ends) in [
        (Level::ReadOnly, false, CallState::Cancelled),
        (Level::Write, false, CallState::Cancelled),
        (Level::ReadOnly, true, CallState::Cancelled),
        // It may have happened.
        (Level::Write, true, CallState::Unknown),
    ] {
        let (prop, began) = endless(level, outside);
        let mut desk = desk(prop).await;
        if level == Level::Write {
            desk = desk.without_asking().await;
        }
        let cancel = CancellationToken::new();
        let stop = async {
            while began.lock().unwrap().is_empty() {
                tokio::task::yield_now().await;
            }
            cancel.cancel();
        };
        let (done, ()) = tokio::join!(desk.call_cancelled("{}", cancel.clone()), stop);
        assert_eq!(done.row.state, ends, "{level:?}, outside: {outside}");
        assert!(
            began.lock().unwrap()[0].is_cancelled(),
            "the tool's own token says so too"
        );
    }
}

#[tokio::test]
async fn an_outside_call_that_a_crash_cut_off_is_unknown_and_says_that_it_may_have_happened() {
    let (prop, began) = endless(Level::Write, true);
    let desk = desk(prop).await.without_asking().await;
    let until_begun = async {
        while began.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        _ = desk.call("{}") => {}
        () = until_begun => {}
    }
    let filter = CallFilter::default();
    let page = Page {
        limit: 10,
        after: None,
    };
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    let left = calls::list(&mut snapshot, desk.principal.org, &filter, &page)
        .await
        .unwrap();
    drop(snapshot);
    assert_eq!((left.len(), left[0].state), (1, CallState::Running));
    desk.counter
        .settle(desk.principal.org, left[0].id)
        .await
        .unwrap();
    let (row, _) = desk.stored(left[0].id).await.unwrap();
    assert_eq!(row.state, CallState::Unknown);
    assert!(row.error.unwrap().contains("may have happened"));
    assert_eq!(began.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn on_main_nothing_is_stored_of_a_call_before_all_of_it() {
    let options = CounterOptions::default();
    let desk = Desk::holding(options, Clock::system(), |registry, store| {
        let store = store.clone();
        registry.add(Prop::new("tool", Level::Write).running(move |context, _| {
            let (store, org, call) = (store.clone(), context.principal.org, context.call);
            async move {
                let mut view = store.snapshot().await.unwrap();
                let stored = calls::get(&mut view, org, call).await.unwrap();
                ToolResult::success(json!({"stored": stored.is_some()}))
            }
            .boxed()
        }));
    })
    .await
    .without_asking()
    .await;
    let done = desk.call("{}").await;
    assert_eq!(done.text().content, r#"{"stored":false}"#);
    let (_, events) = desk.stored(done.row.id).await.unwrap();
    let states: Vec<CallState> = events.into_iter().map(|event| event.state).collect();
    assert_eq!(states, [CallState::Asked, CallState::Succeeded]);
}

#[tokio::test]
async fn the_close_stores_state_result_times_and_story() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = CounterOptions::default();
    for level in [Level::ReadOnly, Level::Write] {
        let hands = clock.clone();
        let prop = Prop::new("tool", level).running(move |_, _| {
            hands.advance(SignedDuration::from_secs(5));
            async { ToolResult::success("done") }.boxed()
        });
        let mut desk = Desk::holding(options.clone(), clock.clock(), |registry, _| {
            registry.add(prop);
        })
        .await;
        if level == Level::Write {
            desk = desk.without_asking().await;
        }
        let began = clock.clock().micros();
        let done = desk.call("{}").await;
        let (row, events) = desk.stored(done.row.id).await.unwrap();
        assert_eq!(row.state, CallState::Succeeded);
        assert_eq!(
            row.result.as_deref(),
            Some(r#"{"type":"json","output":"done"}"#)
        );
        let ended = began + 5_000_000;
        assert_eq!(
            (row.asked_at, row.started_at, row.ended_at),
            (began, Some(began), Some(ended))
        );
        let story: Vec<_> = events
            .iter()
            .map(|event| (event.state, event.at, event.by))
            .collect();
        let asker = Some(desk.principal.user);
        assert_eq!(
            story,
            [
                (CallState::Asked, began, asker),
                (CallState::Succeeded, ended, None)
            ]
        );
    }
}

#[tokio::test]
async fn what_a_neighbour_writes_or_fails_at_is_no_others_business() {
    let prop = Prop::new("tool", Level::Write).running(|context, input| {
        async move {
            let org = context.principal.org;
            if let Work::Write(unit) = &mut context.work {
                settings::set(unit, org, &input.word, &json!(1), None, 0)
                    .await
                    .unwrap();
            }
            match input.word.starts_with("bad") {
                true => ToolResult::failure("no"),
                false => ToolResult::success("yes"),
            }
        }
        .boxed()
    });
    let desk = desk(prop).await.without_asking().await;
    let words: Vec<String> = (0..60)
        .map(|n| format!("{}{n}", if n % 3 == 0 { "bad" } else { "good" }))
        .collect();
    let arguments: Vec<String> = words
        .iter()
        .map(|word| json!({ "word": word }).to_string())
        .collect();
    let outcomes = join_all(arguments.iter().map(|arguments| desk.call(arguments))).await;
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    for (word, outcome) in words.iter().zip(outcomes) {
        let is_good = word.starts_with("good");
        assert_eq!(outcome.row.state == CallState::Succeeded, is_good, "{word}");
        let written = settings::get(&mut snapshot, desk.principal.org, word)
            .await
            .unwrap();
        assert_eq!(written.is_some(), is_good, "{word}");
    }
}

#[tokio::test]
async fn a_table_of_marks_is_made_only_where_the_administrator_agreed() {
    for marker in [false, true] {
        let desk = Desk::on_connection(Does::Answers, marker).await;
        assert_eq!(desk.call("{}").await.row.state, CallState::Succeeded);
        let look = "DELETE FROM toolcrib_calls WHERE call_id = 'nobody'";
        let found =
            toolcrib_data::testing::run_on(&desk.connections, crate::support::CONNECTION, look)
                .await;
        assert_eq!(found.is_ok(), marker, "{found:?}");
    }
}
