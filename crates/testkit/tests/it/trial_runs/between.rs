//! What happens between two steps of a trial: others write, the server ends, the client is gone.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp, TestClient};

use super::{
    calls, customer, done, next_customer, read, records, send, statuses, update, without_asking,
};
use crate::support::{conversation, text};

/// The model asks for the first call, and takes its time before it asks for the second one.
fn slowly(app: &TestApp, first: (&str, Value), second: (&str, Value)) {
    let slow = Reply {
        chunk_delay_ms: 150,
        ..Reply::call(second.0, second.1)
    };
    app.model.script(vec![
        Rule::always(Reply::call(first.0, first.1)).times(1),
        Rule::always(slow).times(1),
        Rule::always(Reply::text("That is it.")),
    ]);
}

/// Waits until the model was asked so often.
async fn asked(app: &TestApp, times: usize) {
    while app.model.requests().len() < times {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Reads a conversation once its run has ended, whoever tells it.
async fn ended(client: &TestClient, conversation: &str) -> Value {
    let path = format!("/api/conversations/{conversation}");
    loop {
        let (_, body) = client.get(&path).await.unwrap();
        if text(&body, "/state") != "running" {
            return body;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Tries a run, and does something once its first call has run and before its second one does.
async fn tried_beside<T>(
    app: &TestApp,
    client: &TestClient,
    work: impl Future<Output = T>,
) -> (Value, T) {
    let work = async {
        asked(app, 2).await;
        let done = work.await;
        assert_eq!(app.model.requests().len(), 2, "it was done in between");
        done
    };
    let body = json!({"message": "Go."});
    let ((status, run), done) = tokio::join!(send(client, &body), work);
    assert_eq!(status, StatusCode::OK, "{run}");
    (run, done)
}

#[tokio::test]
async fn nothing_is_held_between_two_steps() {
    let app = TestApp::start().await.unwrap();
    without_asking(&app).await;
    let client = app.manager().await.unwrap();
    let tried = update("order", 1, &json!({"note": "tried"}));
    slowly(&app, tried, read("order", 1));
    // The same record, and another one.
    let work = async {
        done(&client, update("order", 1, &json!({"margin": "1.00"}))).await;
        done(&client, update("order", 2, &json!({"note": "real"}))).await;
        done(&client, read("order", 1)).await
    };
    let (run, seen) = tried_beside(&app, &client, work).await;
    assert_ne!(text(&seen, "/records/0/note"), "tried");
    assert_eq!(statuses(&run), ["succeeded"; 2], "{run}");
    let found = calls(&run)[1].pointer("/output/records/0").unwrap();
    assert_eq!(
        (text(found, "/note"), text(found, "/margin")),
        ("tried", "1.00"),
        "both: {found}"
    );
    let real = done(&client, read("order", 1)).await;
    assert_ne!(text(&real, "/records/0/note"), "tried");
    assert_eq!(text(&real, "/records/0/margin"), "1.00");
}

#[tokio::test]
async fn a_trial_that_others_have_overtaken_says_so() {
    let app = TestApp::start().await.unwrap();
    without_asking(&app).await;
    let client = app.manager().await.unwrap();
    slowly(
        &app,
        customer("same@example.com"),
        update("order", 1, &json!({"note": "tried"})),
    );
    let work = done(&client, customer("same@example.com"));
    let (run, real) = tried_beside(&app, &client, work).await;
    assert_eq!(statuses(&run), ["succeeded", "failed"], "{run}");
    let error = text(&calls(&run)[1], "/error");
    assert!(
        error.contains("the earlier call of create_record can't be made again"),
        "{error}"
    );
    assert!(error.contains("try the whole run anew"), "{error}");
    assert!(
        calls(&run)[1]
            .pointer("/trial/wouldChange")
            .unwrap()
            .is_null()
    );
    assert_eq!(
        text(&run, "/answer"),
        "That is it.",
        "the run goes on to its end"
    );
    let id = real.pointer("/records/0/id").unwrap().as_i64().unwrap();
    assert_eq!(
        done(&client, read("customer", id)).await["missing"],
        json!([])
    );
}

#[tokio::test]
async fn a_tool_that_is_taken_away_is_not_made_again() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    slowly(&app, customer("same@example.com"), read("customer", 1));
    let off = json!({"enabled": false});
    let work = admin.switch("create_record", &off);
    let (run, switched) = tried_beside(&app, &client, work).await;
    switched.unwrap();
    assert_eq!(statuses(&run), ["succeeded", "failed"], "{run}");
}

#[tokio::test]
async fn a_trial_that_a_server_left_goes_on_as_one() {
    let app = TestApp::start().await.unwrap();
    without_asking(&app).await;
    let client = app.manager().await.unwrap();
    let before = records(&client).await;
    let id = next_customer(&app, &client).await;
    app.model.script(vec![
        Rule::always(Reply::call(
            "create_record",
            customer("tried@example.com").1,
        ))
        .times(1),
        Rule::always(Reply {
            hang: true,
            ..Reply::default()
        })
        .times(1),
        Rule::always(Reply::call(
            "update_record",
            update("customer", id, &json!({"city": "Bonn"})).1,
        ))
        .times(1),
        Rule::always(Reply::text("That is it.")),
    ]);
    let body = json!({"message": "Go."});
    let restarting = async {
        asked(&app, 2).await;
        app.restart().await.unwrap()
    };
    let ((status, left), app) = tokio::join!(send(&client, &body), restarting);
    assert_eq!(
        (status, text(&left, "/state")),
        (StatusCode::OK, "active"),
        "{left}"
    );
    assert_eq!(statuses(&left), ["succeeded"]);
    let client = app.manager().await.unwrap();
    let conversation = text(&left, "/conversationId");
    ended(&client, conversation).await;
    let (_, list) = client
        .get(&format!("/api/calls?conversationId={conversation}"))
        .await
        .unwrap();
    let list = list["items"].as_array().unwrap();
    assert_eq!(list.len(), 2);
    for call in list {
        assert_eq!(text(call, "/status"), "succeeded", "{call}");
        assert!(!call["trial"].is_null(), "{call}");
    }
    assert_eq!(records(&client).await, before);
}

#[tokio::test]
async fn a_client_that_hangs_up_does_not_end_the_trial() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    slowly(
        &app,
        update("order", 1, &json!({"note": "tried"})),
        read("order", 1),
    );
    let body = json!({"message": "Go."});
    tokio::select! {
        _ = send(&client, &body) => panic!("it was not slow"),
        () = asked(&app, 2) => {}
    }
    asked(&app, 3).await;
    let (_, list) = client.get("/api/calls").await.unwrap();
    let id = text(&list, "/items/0/conversationId");
    let settled = ended(&client, id).await;
    assert_eq!(text(&settled, "/state"), "idle");
    assert!(settled.to_string().contains("That is it."), "{settled}");
}

#[tokio::test]
async fn a_trial_can_be_stopped() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let first = update("order", 1, &json!({"note": "tried"}));
    slowly(&app, first, read("order", 1));
    let stopping = async {
        asked(&app, 2).await;
        let (_, list) = client.get("/api/calls").await.unwrap();
        let id = text(&list, "/items/0/conversationId");
        let path = format!("/api/conversations/{id}/stop");
        client.post(&path, &json!({})).await.unwrap()
    };
    let body = json!({"message": "Go."});
    let ((status, run), _) = tokio::join!(send(&client, &body), stopping);
    assert_eq!(
        (status, text(&run, "/state")),
        (StatusCode::OK, "stopped"),
        "{run}"
    );
    assert_eq!(statuses(&run), ["succeeded"]);
}

#[tokio::test]
async fn a_trial_is_never_begun_in_a_conversation_whose_calls_are_real() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Hello."))]);
    let id = conversation();
    client.chat("shop", &id, "hello").await.unwrap();
    let session = app.runtime.local_session("mona@shop.test").await.unwrap();
    let message = toolcrib_runtime::ChatMessage {
        conversation: id.parse().unwrap(),
        id: "m2".to_owned(),
        text: "Go.".to_owned(),
        mode: toolcrib_counter::CallMode::Trial,
    };
    let begun = app
        .runtime
        .chat(&session.unwrap().principal, "shop", message)
        .await;
    assert!(begun.is_err(), "a stranger's conversation");
}
