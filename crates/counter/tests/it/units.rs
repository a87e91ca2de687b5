use futures_util::future::join_all;
use serde_json::json;
use toolcrib::state::CallState;
use toolcrib_counter::Level;
use toolcrib_data::platform::calls;

use crate::support::{Desk, Does};

#[tokio::test]
async fn a_write_and_its_ending_are_one_commit() {
    let desk = Desk::with(Level::Write, false, Does::Writes)
        .await
        .without_asking()
        .await;
    let outcome = desk.call("{\"word\": \"kept\"}").await;
    assert_eq!(outcome.row.state, CallState::Succeeded);
    assert_eq!(desk.written().await, Some(json!("kept")));
}

#[tokio::test]
async fn what_a_failed_tool_wrote_is_undone_and_the_call_is_still_stored() {
    let desk = Desk::with(Level::Write, false, Does::WritesThenFails)
        .await
        .without_asking()
        .await;
    let outcome = desk.call("{\"word\": \"lost\"}").await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert_eq!(desk.written().await, None);
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    let stored = calls::get(&mut snapshot, desk.principal.org, outcome.row.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.state, CallState::Failed);
}

#[tokio::test]
async fn many_calls_at_once_are_all_stored() {
    let desk = Desk::with(Level::Write, false, Does::Writes)
        .await
        .without_asking()
        .await;
    let outcomes = join_all((0..200).map(|n| {
        let desk = &desk;
        async move { desk.call(&format!("{{\"word\": \"{n}\"}}")).await }
    }))
    .await;
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    for outcome in outcomes {
        let stored = calls::get(&mut snapshot, desk.principal.org, outcome.row.id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(stored.state, CallState::Succeeded);
    }
    assert_eq!(desk.run_count(), 200);
}

#[tokio::test]
async fn a_hanging_write_gives_the_writer_back() {
    let desk = Desk::with(Level::Write, false, Does::Hangs)
        .await
        .without_asking()
        .await;
    let outcome = desk.call("{}").await;
    assert_eq!(outcome.row.state, CallState::Failed);
    let unit = desk.counter.store().unit().await.unwrap();
    unit.commit().await.unwrap();
}
