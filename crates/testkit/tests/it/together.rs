//! What is stored together is there together: a transition and its event, a step and its calls.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};
use toolcrib_data::ManualClock;
use toolcrib_data::testing::{allow, forbid, number};
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text};

fn create(name: &str) -> Value {
    let email = format!("{}@example.com", name.to_lowercase());
    json!({"model": "customer", "values": {"name": name, "email": email, "country": "de"}})
}

async fn status(client: &TestClient, tool: &str, arguments: &Value) -> StatusCode {
    let path = format!("/api/tools/{tool}/call");
    let body = json!({"arguments": arguments});
    client.post(&path, &body).await.unwrap().0
}

async fn count(app: &TestApp, of: &str) -> i64 {
    let query = format!("SELECT count(*) FROM {of}");
    number(app.runtime.store(), &query).await.unwrap()
}

#[tokio::test]
async fn no_transition_is_without_its_row_in_the_story() {
    let app = TestApp::start().await.unwrap();
    let store = app.runtime.store();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    admin.switch("create_record", &ask).await.unwrap();
    let customers = count(&app, "d_main_customer").await;
    let calls = count(&app, "tc_calls").await;

    // The ending: neither the write, nor the call, nor its state is there without it.
    let events = "tc_call_events";
    forbid(store, events, ("state", "'succeeded'"))
        .await
        .unwrap();
    let told = status(&admin, "create_record", &create("Half")).await;
    assert!(told.is_server_error(), "{told}");
    assert_eq!(count(&app, "d_main_customer").await, customers);
    assert_eq!(count(&app, "tc_calls").await, calls);
    allow(store, events).await.unwrap();

    // The waiting: no card is left to decide.
    forbid(store, events, ("state", "'waiting'")).await.unwrap();
    let update = json!({"model": "order", "id": 1, "values": {"note": "half"}});
    let told = status(&admin, "update_record", &update).await;
    assert!(told.is_server_error(), "{told}");
    assert_eq!(count(&app, "tc_approvals").await, 0);
    assert_eq!(count(&app, "tc_calls").await, calls);
    allow(store, events).await.unwrap();

    // The decision: the call still waits, and can be decided.
    let call = admin.call("update_record", &update).await.unwrap();
    forbid(store, events, ("state", "'approved'"))
        .await
        .unwrap();
    let (told, _) = admin
        .decide(&call["approval"], "approve", None)
        .await
        .unwrap();
    assert!(told.is_server_error(), "{told}");
    let path = format!("/api/calls/{}", text(&call, "/id"));
    let (_, story) = admin.get(&path).await.unwrap();
    assert_eq!(text(&story, "/status"), "waiting");
    assert_eq!(text(&story, "/approval/status"), "pending");
    allow(store, events).await.unwrap();
    let (told, body) = admin
        .decide(&call["approval"], "approve", None)
        .await
        .unwrap();
    assert_eq!(told, StatusCode::OK, "{body}");
    assert_eq!(text(&body, "/call/status"), "succeeded");
    let (_, story) = admin.get(&path).await.unwrap();
    assert_eq!(text(&story, "/status"), "succeeded");
}

#[tokio::test]
async fn nothing_that_an_answer_asks_for_runs_before_the_answer_and_its_calls_are_stored() {
    // The step itself, and the second of its calls.
    for (table, rule) in [("tc_steps", ("step", "0")), ("tc_calls", ("position", "1"))] {
        let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
        let options = TestAppOptions {
            clock: clock.clock(),
            ..TestAppOptions::default()
        };
        let app = TestApp::start_with(options).await.unwrap();
        let store = app.runtime.store();
        let admin = app.client("admin@shop.test").await.unwrap();
        let ask = json!({"requiresApproval": false});
        admin.switch("create_record", &ask).await.unwrap();
        let both = vec![
            ("create_record", create("Anne")),
            ("create_record", create("Bert")),
        ];
        app.model.script(vec![
            Rule::on_user("both", Reply::calls(both)),
            Rule::after("create_record", Reply::text("Both are there.")),
        ]);
        let customers = count(&app, "d_main_customer").await;
        forbid(store, table, rule).await.unwrap();
        let talk = conversation();
        // The stream breaks off: the run is left where it stood.
        drop(admin.chat("shop", &talk, "Make both").await);
        assert_eq!(count(&app, "tc_steps").await, 0, "{table}");
        assert_eq!(count(&app, "tc_calls").await, 0, "{table}");
        assert_eq!(count(&app, "d_main_customer").await, customers, "{table}");
        allow(store, table).await.unwrap();
        clock.advance(SignedDuration::from_mins(5));
        app.runtime.look_once().await.unwrap();
        let settled = admin.settled(&talk).await.unwrap();
        assert!(settled.to_string().contains("Both are there."), "{settled}");
        assert_eq!(count(&app, "d_main_customer").await, customers + 2);
        assert_paired(&last_messages(&app.model.requests()));
    }
}
