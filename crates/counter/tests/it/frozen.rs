//! What is decided on is what runs: the bytes of the arguments, and nothing that reads alike.

use toolcrib::state::CallState;
use toolcrib_counter::{CounterOptions, DecisionKind, Level};
use toolcrib_data::Clock;
use toolcrib_data::testing::tamper;

use crate::props::Prop;
use crate::support::Desk;

async fn desk() -> Desk {
    let options = CounterOptions::default();
    Desk::holding(options, Clock::system(), |registry, _| {
        registry.add(Prop::new("tool", Level::Write));
    })
    .await
}

#[tokio::test]
async fn the_bytes_that_were_asked_are_frozen_and_hashed() {
    let desk = desk().await;
    let mut hashes = Vec::new();
    for arguments in [
        r#"{"word":"a"}"#,
        r#"{"word": "a"}"#,
        r#"{"word":"\u0061"}"#,
        r#"{"word":"b"}"#,
    ] {
        let asked = desk.call(arguments).await;
        let (row, _) = desk.stored(asked.row.id).await.unwrap();
        assert_eq!(row.arguments.as_deref(), Some(arguments));
        hashes.push(row.arguments_hash.unwrap());
        // The hash that a person decides on is another one, which has chance in it.
        hashes.push(asked.approval.unwrap().arguments_hash);
    }
    let again = desk.call(r#"{"word":"a"}"#).await;
    assert_eq!(again.row.arguments_hash.as_ref(), Some(&hashes[0]));
    assert_ne!(again.approval.unwrap().arguments_hash, hashes[1]);
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count, "no two of them are alike");
}

#[tokio::test]
async fn arguments_that_were_changed_in_storage_do_not_run() {
    let desk = desk().await;
    for (stored, ends) in [
        (r#"{"word":"a"}"#, CallState::Succeeded),
        (r#"{"word":"b"}"#, CallState::Refused),
        // They read alike, and are others.
        (r#"{"word": "a"}"#, CallState::Refused),
        (r#"{"word":"\u0061"}"#, CallState::Refused),
    ] {
        for decided_first in [true, false] {
            let asked = desk.call(r#"{"word":"a"}"#).await;
            let approval = asked.approval.unwrap();
            let change = format!(
                "UPDATE tc_calls SET arguments = '{stored}' WHERE id = '{}'",
                asked.row.id
            );
            if !decided_first {
                tamper(desk.counter.store(), &change).await.unwrap();
            }
            desk.decide(DecisionKind::Approve, &approval).await.unwrap();
            if decided_first {
                tamper(desk.counter.store(), &change).await.unwrap();
            }
            let done = desk.resume(asked.row.id).await.unwrap();
            assert_eq!(done.row.state, ends, "{stored}");
            if ends == CallState::Refused {
                let told = done.text().content;
                assert!(told.contains("not about this request"), "{told}");
            }
        }
    }
}
