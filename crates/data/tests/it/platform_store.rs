//! One writer and many readers, and what is acknowledged when.

use std::pin::pin;
use std::time::Duration;

use futures_util::poll;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Executor as _};
use toolcrib::id::{CallId, OrgId};
use toolcrib_data::platform::calls;
use toolcrib_data::{Store, StoreOptions};

use crate::group_commit::rows;

async fn is_stored(store: &Store, org: OrgId, id: CallId) -> bool {
    let mut snapshot = store.snapshot().await.unwrap();
    calls::get(&mut snapshot, org, id).await.unwrap().is_some()
}

#[tokio::test]
async fn a_unit_has_the_only_writer_from_its_beginning_and_readers_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    let store = Store::open(StoreOptions::new(&path)).await.unwrap();
    let (org, id) = (OrgId::mint(), CallId::mint());
    store.write_call(rows(org, id, 1)).await.unwrap();
    let unit = store.unit().await.unwrap();
    // Nothing is written in it yet, and all the same nobody else may begin: it began IMMEDIATE.
    let impatient = SqliteConnectOptions::new()
        .filename(&path)
        .busy_timeout(Duration::ZERO);
    let mut stranger = impatient.connect().await.unwrap();
    let begun = stranger.execute("BEGIN IMMEDIATE").await;
    let refused = begun.unwrap_err().to_string();
    assert!(refused.contains("locked"), "{refused}");
    let mut second = pin!(store.unit());
    assert!(poll!(&mut second).is_pending(), "there is one writer");
    // As many read at the same time as there are readers.
    let mut views = Vec::new();
    for _ in 0..4 {
        let mut view = store.snapshot().await.unwrap();
        assert!(calls::get(&mut view, org, id).await.unwrap().is_some());
        views.push(view);
    }
    drop(unit);
    second.await.unwrap().commit().await.unwrap();
    stranger.execute("BEGIN IMMEDIATE").await.unwrap();
}

/// Time stands still, so that the group stays open as long as somebody works in it.
#[tokio::test(start_paused = true)]
async fn who_shares_a_transaction_is_told_after_its_commit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    let store = Store::open(StoreOptions::new(&path)).await.unwrap();
    let org = OrgId::mint();
    let (first, second) = (rows(org, CallId::mint(), 1), rows(org, CallId::mint(), 1));
    let ids = [first.call.id, second.call.id];
    let mut unit = store.unit().await.unwrap();
    calls::insert(&mut unit, &[first]).await.unwrap();
    // The next one waits for its turn already when this one ends.
    let mut next = pin!(store.unit());
    assert!(poll!(&mut next).is_pending());
    let mut told = pin!(unit.commit());
    assert!(poll!(&mut told).is_pending());
    let mut unit = next.await.unwrap();
    calls::insert(&mut unit, &[second]).await.unwrap();
    assert!(poll!(&mut told).is_pending(), "it is not on disk yet");
    for id in ids {
        assert!(!is_stored(&store, org, id).await);
    }
    let (one, other) = tokio::join!(told, unit.commit());
    one.unwrap();
    other.unwrap();
    for id in ids {
        assert!(is_stored(&store, org, id).await);
    }
}
