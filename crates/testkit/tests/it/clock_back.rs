//! The machine's clock is set back by an hour: everything goes on.

use jiff::SignedDuration;
use serde_json::{Value, json};
use toolcrib_data::ManualClock;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text};

fn note(id: i64, note: &str) -> Value {
    json!({"model": "order", "id": id, "values": {"note": note}})
}

async fn asked(client: &TestClient, id: i64) -> Value {
    let call = client.call("update_record", &note(id, "approved")).await;
    let call = call.unwrap();
    assert_eq!(text(&call, "/status"), "waiting", "{call}");
    call["approval"].clone()
}

async fn is_done(client: &TestClient, approval: &Value) {
    let (status, body) = client.decide(approval, "approve", None).await.unwrap();
    assert_eq!(status, 200, "{body}");
    assert_eq!(text(&body, "/call/status"), "succeeded", "{body}");
}

#[tokio::test]
async fn calls_decisions_runs_and_the_audit_go_on_when_the_clock_is_set_back() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "note",
            Reply::call("update_record", note(3, "by the agent")),
        ),
        Rule::after("update_record", Reply::text("Noted.")),
    ]);
    let before = asked(&admin, 1).await;
    let keyed = async || {
        let (status, body) = admin
            .call_with_key("current_user", &json!({}), "key")
            .await
            .unwrap();
        assert_eq!(status, 200, "{body}");
        text(&body, "/call/id").to_owned()
    };
    let key = keyed().await;
    let talk = conversation();
    admin.chat("shop", &talk, "note it").await.unwrap();
    app.runtime.seal_all().await.unwrap();

    clock.advance(SignedDuration::from_hours(-1));
    // What was asked before is decided after, in requests and in runs.
    is_done(&admin, &before).await;
    let pending = admin.pending().await.unwrap();
    assert_eq!(pending.len(), 1);
    assert_eq!(
        admin.decide(&pending[0], "approve", None).await.unwrap().0,
        200
    );
    let settled = admin.settled(&talk).await.unwrap();
    assert!(settled.to_string().contains("Noted."), "{settled}");
    assert_paired(&last_messages(&app.model.requests()));
    assert_eq!(keyed().await, key);
    // What is asked now is no less.
    let after = asked(&admin, 2).await;
    is_done(&admin, &after).await;
    app.runtime.look_once().await.unwrap();
    app.runtime.seal_all().await.unwrap();

    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    for (id, is) in [(1, "approved"), (2, "approved"), (3, "by the agent")] {
        let read = json!({"model": "order", "id": id});
        let read = admin.call("read_record", &read).await.unwrap();
        assert_eq!(text(&read, "/output/records/0/note"), is);
        assert_eq!(read.pointer("/output/records/0/version"), Some(&json!(2)));
    }
    // All of it is sealed, in the order in which it was stored, and proven.
    let mut chain = Value::Null;
    for _ in 0..200 {
        app.runtime.seal_all().await.unwrap();
        chain = admin.get("/api/audit/chain").await.unwrap().1;
        if chain["unsealed"] == json!(0) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(chain["unsealed"], json!(0), "{chain}");
    let (_, found) = admin.post("/api/audit/verify", &json!({})).await.unwrap();
    assert_eq!(found["ok"], json!(true), "{found}");
}
