//! The PostgreSQL server goes away for a while and comes back.

use reqwest::StatusCode;
use serde_json::{Value, json};
use toolcrib_testkit::{OwnPostgres, Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text};

fn note(id: i64) -> Value {
    json!({"model": "order", "id": id, "values": {"note": "once"}})
}

async fn version(client: &TestClient, id: i64) -> i64 {
    let read = json!({"model": "order", "id": id});
    let call = client.call("read_record", &read).await.unwrap();
    let version = call.pointer("/output/records/0/version");
    version.and_then(Value::as_i64).unwrap()
}

/// The endings in the story of a call.
async fn endings(client: &TestClient, call: &str) -> Vec<String> {
    let (_, story) = client.get(&format!("/api/calls/{call}")).await.unwrap();
    let events = story["events"].as_array().unwrap().iter();
    events
        .map(|event| text(event, "/state").to_owned())
        .filter(|state| !["asked", "waiting", "approved"].contains(&state.as_str()))
        .collect()
}

#[tokio::test]
async fn calls_fail_clearly_meanwhile_and_afterwards_all_goes_on_once() {
    let server = OwnPostgres::start().unwrap();
    let options = TestAppOptions {
        database: Some(server.database().await.unwrap()),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    app.model.script(vec![
        Rule::on_user("note", Reply::call("update_record", note(1))),
        Rule::after("update_record", Reply::text("Noted.")),
    ]);
    let admin = app.client("admin@shop.test").await.unwrap();
    let (talk, mut waiting) = (conversation(), Vec::new());
    admin.chat("shop", &talk, "note it").await.unwrap();
    waiting.extend(admin.pending().await.unwrap());
    let alone = admin.call("update_record", &note(2)).await.unwrap();
    waiting.push(alone["approval"].clone());

    server.halt().unwrap();
    let (nothing, third) = (json!({}), note(3));
    let (read, keyed, decided) = tokio::join!(
        admin.post("/api/tools/list_models/call", &nothing),
        admin.call_with_key("update_record", &third, "key"),
        admin.decide(&waiting[1], "approve", None),
    );
    for (status, body) in [read.unwrap(), keyed.unwrap(), decided.unwrap()] {
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
        assert_eq!(text(&body, "/code"), "unavailable");
        let detail = text(&body, "/detail");
        assert!(detail.contains("can't be used just now"), "{detail}");
    }

    server.resume().unwrap();
    // The same server, the same sessions, from the first request on.
    for _ in 0..20 {
        let call = admin.call("list_models", &json!({})).await.unwrap();
        assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    }
    assert_eq!(admin.pending().await.unwrap().len(), 2, "nothing is lost");
    for approval in &waiting {
        let (status, body) = admin.decide(approval, "approve", None).await.unwrap();
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let settled = admin.settled(&talk).await.unwrap();
    assert!(settled.to_string().contains("Noted."), "{settled}");
    assert_paired(&last_messages(&app.model.requests()));
    let (status, again) = admin
        .call_with_key("update_record", &third, "key")
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK, "{again}");
    let (status, body) = admin
        .decide(&again["call"]["approval"], "approve", None)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    for (id, call) in [
        (1, text(&waiting[0], "/callId")),
        (2, text(&waiting[1], "/callId")),
        (3, text(&again, "/call/id")),
    ] {
        assert_eq!(version(&admin, id).await, 2, "order {id}");
        assert_eq!(endings(&admin, call).await, ["succeeded"], "order {id}");
    }
    let (_, found) = admin.post("/api/audit/verify", &json!({})).await.unwrap();
    assert_eq!(found["ok"], json!(true), "{found}");
}
