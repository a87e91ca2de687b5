//! Calls that write to a database beside the platform's own.

use tokio_util::sync::CancellationToken;
use toolcrib::id::CallId;
use toolcrib::state::CallState;
use toolcrib_data::Written;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::{self, CallChange, CallEvent, CallFilter, CallRow};

use crate::support::{CONNECTION, Desk, Does};

async fn row(desk: &Desk, id: CallId) -> CallRow {
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    let row = calls::get(&mut snapshot, desk.principal.org, id).await;
    row.unwrap().unwrap()
}

/// As if the server had died right after the commit: what came of the call is not stored.
async fn forget(desk: &Desk, id: CallId) {
    let event = CallEvent {
        state: CallState::Running,
        at: 0,
        by: None,
        reason: None,
    };
    let mut unit = desk.counter.store().unit().await.unwrap();
    let (org, from) = (desk.principal.org, [CallState::Succeeded]);
    let moved = calls::transition(&mut unit, org, id, &from, &event, &CallChange::default()).await;
    assert!(moved.unwrap());
    unit.commit().await.unwrap();
}

/// The call that a server left under way when it died.
async fn left_running(desk: &Desk) -> CallId {
    {
        let call = desk.call_cancelled("{}", CancellationToken::new());
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
    let filter = CallFilter {
        state: Some("running".to_owned()),
        ..CallFilter::default()
    };
    let page = Page {
        limit: 10,
        after: None,
    };
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    let left = calls::list(&mut snapshot, desk.principal.org, &filter, &page).await;
    left.unwrap()[0].id
}

#[tokio::test]
async fn what_is_in_doubt_is_settled_by_its_mark() {
    let desk = Desk::on_connection(Does::Answers, true).await;
    let done = desk.call(r#"{"word": "hello"}"#).await;
    assert_eq!(done.row.state, CallState::Succeeded);
    let id = done.row.id;
    let mark = desk.connections.written(CONNECTION, id).await.unwrap();
    assert!(matches!(mark, Written::Result(mark) if mark.contains("hello")));
    forget(&desk, id).await;
    desk.counter.settle(desk.principal.org, id).await.unwrap();
    let settled = row(&desk, id).await;
    assert_eq!(settled.state, CallState::Succeeded);
    assert_eq!(settled.result, done.row.result);
    assert_eq!(desk.run_count(), 1);
}

#[tokio::test]
async fn what_left_no_mark_was_not_written() {
    let desk = Desk::on_connection(Does::Hangs, true).await;
    let id = left_running(&desk).await;
    desk.counter.settle(desk.principal.org, id).await.unwrap();
    let settled = row(&desk, id).await;
    assert_eq!(settled.state, CallState::Failed);
    let error = settled.error.unwrap();
    assert!(error.contains("before anything was written"), "{error}");
}

#[tokio::test]
async fn without_marks_nobody_knows() {
    let desk = Desk::on_connection(Does::Hangs, false).await;
    let id = left_running(&desk).await;
    desk.counter.settle(desk.principal.org, id).await.unwrap();
    assert_eq!(row(&desk, id).await.state, CallState::Unknown);
}

#[tokio::test]
async fn work_that_met_somebody_elses_is_tried_again_and_not_for_ever() {
    let desk = Desk::on_connection(Does::Conflicts(3), false).await;
    let done = desk.call("{}").await;
    assert_eq!(
        (done.row.state, desk.run_count()),
        (CallState::Succeeded, 4)
    );
    let desk = Desk::on_connection(Does::Conflicts(100), false).await;
    let done = desk.call("{}").await;
    assert_eq!((done.row.state, desk.run_count()), (CallState::Failed, 4));
    let error = done.row.error.unwrap();
    assert!(error.contains("Others keep changing"), "{error}");
}

#[tokio::test]
async fn a_database_out_of_reach_fails_the_call_and_says_so() {
    let desk = Desk::on_connection(Does::Answers, false).await;
    std::fs::remove_file(desk.folder().join("other.db")).unwrap();
    let done = desk.call("{}").await;
    assert_eq!(done.row.state, CallState::Failed);
    let error = done.row.error.unwrap();
    assert!(
        error.contains("can't be reached") && !error.contains("other.db"),
        "{error}"
    );
    assert_eq!(desk.run_count(), 0);
}
