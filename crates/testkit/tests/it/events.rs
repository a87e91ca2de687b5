//! Events of calls: who is told of them, and who is asked before them.

mod asked;
mod delivery;
mod managing;

use reqwest::StatusCode;
use serde_json::{Value, json};
use toolcrib::id::CallId;
use toolcrib_data::ManualClock;
use toolcrib_testkit::{Received, TestApp, TestAppOptions, TestClient, Webhook};

use crate::support::text;

/// A tool that only reads, one that writes without asking, and a webhook.
async fn shop() -> (TestApp, TestClient, Webhook) {
    prepared(TestApp::start().await.unwrap()).await
}

/// The same at a time of the test's own.
async fn shop_at() -> (TestApp, TestClient, Webhook, ManualClock) {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    let (app, admin, hook) = prepared(TestApp::start_with(options).await.unwrap()).await;
    (app, admin, hook, clock)
}

async fn prepared(app: TestApp) -> (TestApp, TestClient, Webhook) {
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    admin.switch("create_record", &ask).await.unwrap();
    let hook = Webhook::start().await.unwrap();
    (app, admin, hook)
}

/// Says which events the calls of a tool give.
async fn give(admin: &TestClient, tool: &str, pre: &str, post: &str) {
    let events = json!({"settings": {"events": {"pre": pre, "post": post}}});
    admin.switch(tool, &events).await.unwrap();
}

/// Makes a subscriber of a webhook; answers with it and its secret.
async fn subscribe(admin: &TestClient, name: &str, hook: &Webhook, more: Value) -> (Value, String) {
    let mut wanted = json!({"name": name, "url": hook.url()});
    for (key, value) in more.as_object().unwrap() {
        wanted[key] = value.clone();
    }
    let (status, made) = admin
        .post("/api/events/subscribers", &wanted)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::CREATED, "{made}");
    (
        made["subscriber"].clone(),
        text(&made, "/secret").to_owned(),
    )
}

async fn create(client: &TestClient, name: &str) -> Value {
    let email = format!("{}@told.test", CallId::mint());
    let values = json!({"name": name, "email": email, "country": "de"});
    let arguments = json!({"model": "customer", "values": values});
    client.call("create_record", &arguments).await.unwrap()
}

/// The deliveries, newest first.
async fn deliveries(admin: &TestClient, query: &str) -> Vec<Value> {
    let path = format!("/api/events/deliveries{query}");
    let (status, body) = admin.get(&path).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    body["items"].as_array().unwrap().clone()
}

/// The deliveries, once all of them are past waiting for the answer of this attempt.
async fn until(admin: &TestClient, query: &str, fits: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    for _ in 0..1500 {
        let found = deliveries(admin, query).await;
        if fits(&found) {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("not so: {:#?}", deliveries(admin, query).await);
}

fn kinds(received: &[Received]) -> Vec<&str> {
    received
        .iter()
        .map(|one| text(&one.json, "/type"))
        .collect()
}
