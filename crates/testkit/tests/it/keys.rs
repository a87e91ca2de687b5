//! A caller's key against repetition: whose it is, and how long it holds.

use futures_util::future::join_all;
use jiff::SignedDuration;
use serde_json::{Value, json};
use toolcrib_data::ManualClock;
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient};

use crate::support::text;

async fn with_key(client: &TestClient, tool: &str, arguments: Value) -> String {
    let (status, body) = client.call_with_key(tool, &arguments, "key").await.unwrap();
    assert_eq!(status, 200, "{body}");
    text(&body, "/call/id").to_owned()
}

#[tokio::test]
async fn a_key_is_of_one_user_and_one_tool() {
    let app = TestApp::start().await.unwrap();
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let first = with_key(&manager, "current_user", json!({})).await;
    assert_eq!(with_key(&manager, "current_user", json!({})).await, first);
    let others = [
        with_key(&manager, "list_models", json!({})).await,
        with_key(&sales, "current_user", json!({})).await,
        with_key(&sales, "list_models", json!({})).await,
    ];
    assert!(!others.contains(&first), "{others:?}");
    // Of one user it is whatever they came in with.
    let again = app.manager().await.unwrap();
    assert_eq!(with_key(&again, "current_user", json!({})).await, first);
}

#[tokio::test]
async fn a_key_is_forgotten_after_a_day_and_then_another_calls() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    admin.switch("update_record", &ask).await.unwrap();
    let note = |note: &str| json!({"model": "order", "id": 1, "values": {"note": note}});
    let first = with_key(&admin, "update_record", note("one")).await;
    clock.advance(SignedDuration::from_hours(24) - SignedDuration::from_micros(1));
    assert_eq!(with_key(&admin, "update_record", note("one")).await, first);
    let (status, _) = admin
        .call_with_key("update_record", &note("two"), "key")
        .await
        .unwrap();
    assert_eq!(status, 409);
    clock.advance(SignedDuration::from_micros(1));
    // Of many that come at once one is made.
    let two = note("two");
    let many = join_all((0..8).map(|_| with_key(&admin, "update_record", two.clone()))).await;
    assert!(many.iter().all(|id| *id == many[0]), "{many:?}");
    assert_ne!(many[0], first);
    let read = json!({"model": "order", "id": 1});
    let read = admin.call("read_record", &read).await.unwrap();
    assert_eq!(text(&read, "/output/records/0/note"), "two");
    assert_eq!(read.pointer("/output/records/0/version"), Some(&json!(3)));
    // From now on the key is that call's, a day long; the one before still has its story.
    clock.advance(SignedDuration::from_hours(23));
    assert_eq!(with_key(&admin, "update_record", two).await, many[0]);
    let (status, _) = admin.get(&format!("/api/calls/{first}")).await.unwrap();
    assert_eq!(status, 200);
    app.runtime.seal_all().await.unwrap();
    let (_, found) = admin.post("/api/audit/verify", &json!({})).await.unwrap();
    assert_eq!(found["ok"], json!(true), "{found}");
}
