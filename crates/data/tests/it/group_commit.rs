//! Calls and units that are written at the same moment share a transaction, and nothing else.

use futures_util::future::join_all;
use toolcrib::id::{CallId, OrgId, UserId};
use toolcrib::state::CallState;
use toolcrib_data::platform::calls::{self, CallEvent, CallRow, CallRows, Via};
use toolcrib_data::{Store, StoreError, StoreOptions};

pub(crate) fn rows(org: OrgId, id: CallId, events: usize) -> CallRows {
    let asker = UserId::mint();
    let call = CallRow {
        org,
        id,
        place: None,
        provider_call_id: None,
        conversation: None,
        agent: None,
        via: Via::Api,
        asker,
        credential: None,
        tool: "nothing".to_owned(),
        found: None,
        title: "Nothing".to_owned(),
        state: CallState::Succeeded,
        arguments_asked: "{}".to_owned(),
        arguments: None,
        arguments_hash: None,
        repairs: None,
        result: None,
        error: None,
        shown: false,
        handle: None,
        tags: None,
        idempotency_key: None,
        trial: None,
        hooks: None,
        asked_at: 1,
        started_at: None,
        ended_at: None,
    };
    let event = CallEvent {
        state: CallState::Succeeded,
        at: 1,
        by: None,
        reason: None,
    };
    CallRows {
        deliveries: Vec::new(),
        call,
        events: vec![event; events],
    }
}

/// Writes as `kind` says: rows alone, a unit that commits, a unit that is dropped.
async fn write(store: &Store, kind: usize, rows: CallRows) -> Result<(), StoreError> {
    if kind == 0 {
        return store.write_call(rows).await;
    }
    let mut unit = store.unit().await?;
    calls::insert(&mut unit, &[rows]).await?;
    if kind == 1 {
        unit.commit().await?;
    }
    Ok(())
}

/// Which of these calls are stored, and how many events of each.
async fn stored(store: &Store, org: OrgId, ids: &[CallId]) -> Vec<Option<usize>> {
    let mut snapshot = store.snapshot().await.unwrap();
    let mut found = Vec::new();
    for id in ids {
        let call = calls::get(&mut snapshot, org, *id).await.unwrap();
        let events = calls::events(&mut snapshot, org, *id).await.unwrap();
        found.push(call.map(|_| events.len()));
    }
    found
}

#[tokio::test]
async fn neighbours_in_a_transaction_do_not_touch_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    let store = Store::open(StoreOptions::new(&path)).await.unwrap();
    let org = OrgId::mint();
    // Every mixture of kinds among the first, and numbers of events that differ.
    for kinds in [
        &[0][..],
        &[1],
        &[2],
        &[0, 1],
        &[0, 2],
        &[1, 2],
        &[2, 2, 1, 1, 0],
        &[0, 1, 2],
    ] {
        let ids: Vec<CallId> = (0..45).map(|_| CallId::mint()).collect();
        let kind = |index: usize| kinds[index % kinds.len()];
        let work = ids
            .iter()
            .enumerate()
            .map(|(index, id)| write(&store, kind(index), rows(org, *id, index % 4)));
        assert!(join_all(work).await.iter().all(Result::is_ok));
        let expected: Vec<Option<usize>> = (0..ids.len())
            .map(|index| (kind(index) != 2).then_some(index % 4))
            .collect();
        assert_eq!(stored(&store, org, &ids).await, expected, "{kinds:?}");
    }
}

#[tokio::test]
async fn one_that_is_refused_is_refused_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    let store = Store::open(StoreOptions::new(&path)).await.unwrap();
    let org = OrgId::mint();
    for kinds in [&[0][..], &[1], &[0, 1]] {
        let ids: Vec<CallId> = (0..20).map(|_| CallId::mint()).collect();
        // The first one is written a second time in the midst of the others.
        let work = ids
            .iter()
            .take(10)
            .chain(ids.first())
            .chain(ids.iter().skip(10))
            .enumerate()
            .map(|(index, id)| write(&store, kinds[index % kinds.len()], rows(org, *id, 2)));
        let outcomes = join_all(work).await;
        let refused: Vec<usize> = (0..outcomes.len())
            .filter(|index| outcomes[*index].is_err())
            .collect();
        assert!(refused == [0] || refused == [10], "{kinds:?}: {refused:?}");
        assert_eq!(stored(&store, org, &ids).await, vec![Some(2); 20]);
    }
    store.close().await;
    let again = Store::open(StoreOptions::new(&path)).await.unwrap();
    let ids = [CallId::mint()];
    assert_eq!(stored(&again, org, &ids).await, [None]);
}

#[tokio::test]
async fn a_view_holds_from_its_first_read_on() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(StoreOptions::new(dir.path().join("main.db")))
        .await
        .unwrap();
    let (org, early, late) = (OrgId::mint(), CallId::mint(), CallId::mint());
    let mut view = store.snapshot().await.unwrap();
    store.write_call(rows(org, early, 1)).await.unwrap();
    assert!(calls::get(&mut view, org, early).await.unwrap().is_some());
    store.write_call(rows(org, late, 1)).await.unwrap();
    assert!(calls::get(&mut view, org, late).await.unwrap().is_none());
    drop(view);
    // Many more views than connections, some left in the middle of a read, see it all.
    for _ in 0..40 {
        let mut view = store.snapshot().await.unwrap();
        let mut other = store.snapshot().await.unwrap();
        let read = calls::get(&mut other, org, early);
        drop(futures_util::FutureExt::now_or_never(read));
        drop(other);
        assert!(calls::get(&mut view, org, late).await.unwrap().is_some());
    }
}
