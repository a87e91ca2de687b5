//! What a language model gets of results, and what is kept of those that are too large.

use jiff::SignedDuration;
use serde_json::{Value, json};
use toolcrib::id::{OrgId, UserId};
use toolcrib::state::CallState;
use toolcrib_counter::{CallOutcome, CounterOptions, Level};
use toolcrib_data::platform::handles;
use toolcrib_data::{Clock, ManualClock};

use crate::props::Prop;
use crate::support::Desk;

async fn desk(options: CounterOptions, clock: Clock) -> Desk {
    Desk::holding(options, clock, |registry, _| {
        registry.add(Prop::new("tool", Level::ReadOnly));
    })
    .await
}

/// A call whose result is so many bytes of text.
async fn result_of(desk: &Desk, bytes: usize) -> CallOutcome {
    let around = r#"{"word":""}"#.len();
    let word = "x".repeat(bytes - around);
    let done = desk.call(&json!({ "word": word }).to_string()).await;
    assert_eq!(done.row.state, CallState::Succeeded);
    done
}

async fn resolved(desk: &Desk, id: &str, (org, owner): (OrgId, UserId)) -> Option<String> {
    let store = desk.counter.store();
    let now = store.clock().micros();
    let mut snapshot = store.snapshot().await.unwrap();
    handles::resolve(&mut snapshot, org, id, owner, now)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_result_over_32_kib_is_kept_as_a_handle() {
    let desk = desk(CounterOptions::default(), Clock::system()).await;
    let whole = result_of(&desk, 32 * 1024).await;
    assert_eq!(whole.row.handle, None);
    assert_eq!(whole.text().content.len(), 32 * 1024);
    let large = result_of(&desk, 32 * 1024 + 1).await;
    let id = large.row.handle.clone().unwrap();
    let told: Value = serde_json::from_str(&large.text().content).unwrap();
    assert_eq!(told["handle"], json!(format!("handle://{id}")));
    assert_eq!(told["bytes"], json!(32 * 1024 + 1));
    assert_eq!(told["shape"], json!("an object with word"));
    assert_eq!(told["preview"].as_str().unwrap().len(), 2000);
    let owner = (desk.principal.org, desk.principal.user);
    let content = resolved(&desk, &id, owner).await.unwrap();
    assert_eq!(content.len(), 32 * 1024 + 1, "all of it is kept");
}

#[tokio::test]
async fn how_large_a_result_may_be_is_a_setting() {
    for largest in [100, 5000] {
        let options = CounterOptions {
            largest_result: largest,
            ..CounterOptions::default()
        };
        let desk = desk(options, Clock::system()).await;
        assert!(result_of(&desk, largest).await.row.handle.is_none());
        assert!(result_of(&desk, largest + 1).await.row.handle.is_some());
    }
}

#[tokio::test]
async fn a_handle_is_128_bits_of_chance() {
    let options = CounterOptions {
        largest_result: 20,
        ..CounterOptions::default()
    };
    let desk = desk(options, Clock::system()).await;
    let (mut ones, mut zeros) = (0_u128, 0_u128);
    for _ in 0..64 {
        let id = result_of(&desk, 100).await.row.handle.unwrap();
        assert_eq!(id.len(), 32);
        let bits = u128::from_str_radix(&id, 16).unwrap();
        ones |= bits;
        zeros |= !bits;
    }
    // That one of them stays the same by chance happens once in 2^56.
    assert_eq!((ones, zeros), (u128::MAX, u128::MAX));
}

#[tokio::test]
async fn a_handle_is_its_owners_in_its_organisation_until_it_lapses() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = CounterOptions {
        largest_result: 20,
        handle_lifetime: SignedDuration::from_hours(48),
        ..CounterOptions::default()
    };
    let desk = desk(options, clock.clock()).await;
    let id = result_of(&desk, 100).await.row.handle.unwrap();
    let (org, owner) = (desk.principal.org, desk.principal.user);
    assert!(resolved(&desk, &id, (org, owner)).await.is_some());
    assert_eq!(resolved(&desk, &id, (OrgId::mint(), owner)).await, None);
    assert_eq!(resolved(&desk, &id, (org, UserId::mint())).await, None);
    clock.advance(SignedDuration::from_hours(48) - SignedDuration::from_micros(1));
    assert!(resolved(&desk, &id, (org, owner)).await.is_some());
    clock.advance(SignedDuration::from_micros(1));
    assert_eq!(resolved(&desk, &id, (org, owner)).await, None);
}
