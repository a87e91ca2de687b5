use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib_data::platform::subscribers::PreMode;
use toolcrib_runtime::{Answer, Callback, Received, ToolEvent};
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient, WebhookAnswer};

use super::{create, give, kinds, prepared, shop, subscribe};
use crate::support::text;

async fn found(client: &TestClient, name: &str) -> usize {
    let criteria = json!({"field": "name", "operator": "=", "value": name});
    let arguments = json!({"model": "customer", "criteria": criteria});
    let found = client.call("search_records", &arguments).await.unwrap();
    found["output"]["records"].as_array().unwrap().len()
}

#[tokio::test]
async fn without_the_consent_of_who_is_asked_nothing_runs() {
    let (app, admin, hook) = shop().await;
    let asked = json!({"pre": "sync", "timeoutMs": 300, "tools": ["create_record"]});
    subscribe(&admin, "Compliance", &hook, asked).await;
    give(&admin, "create_record", "data", "off").await;
    give(&admin, "search_records", "data", "off").await;
    let manager = app.manager().await.unwrap();
    let no = r#"{"decision":"deny","reason":"not on a Monday"}"#;
    for (answer, why) in [
        (WebhookAnswer::Say(200, no), "not on a Monday"),
        (
            WebhookAnswer::Say(200, r#"{"decision":"deny"}"#),
            "no reason",
        ),
        (WebhookAnswer::Say(500, ""), "could not be asked"),
        (WebhookAnswer::Say(302, ""), "could not be asked"),
        (WebhookAnswer::Say(200, "whatever"), "could not be asked"),
        (WebhookAnswer::Hang, "could not be asked"),
    ] {
        hook.answers(answer.clone());
        let made = create(&manager, "Denied Ltd").await;
        assert_eq!(made["status"], "refused", "{answer:?}: {made}");
        let error = text(&made, "/error");
        assert!(
            error.contains("Compliance") && error.contains(why),
            "{error}"
        );
    }
    assert_eq!(found(&manager, "Denied Ltd").await, 0);
    for answer in [
        WebhookAnswer::Say(204, ""),
        WebhookAnswer::Say(200, r#"{"decision":"allow"}"#),
    ] {
        hook.answers(answer);
        let made = create(&manager, "Allowed Ltd").await;
        assert_eq!(made["status"], "succeeded", "{made}");
    }
    assert_eq!(found(&manager, "Allowed Ltd").await, 2);
    let received = hook.received();
    assert_eq!(received.len(), 8, "searching is none of its tools");
    assert!(kinds(&received).iter().all(|kind| *kind == "tool.call.pre"));
    assert_eq!(
        received[0].json["data"]["input"]["values"]["name"],
        "Denied Ltd"
    );
    // What was refused is a row with its reason.
    let (_, calls) = admin
        .get("/api/audit/calls?outcome=notDone&text=monday")
        .await
        .unwrap();
    assert_eq!(calls["items"].as_array().unwrap().len(), 1, "{calls}");
}

#[tokio::test]
async fn a_webhook_that_is_gone_denies_until_it_is_switched_off() {
    let (app, admin, hook) = shop().await;
    let (made, _) = subscribe(&admin, "Compliance", &hook, json!({"pre": "sync"})).await;
    give(&admin, "create_record", "name", "off").await;
    drop(hook);
    let manager = app.manager().await.unwrap();
    let denied = create(&manager, "Gone Ltd").await;
    assert_eq!(denied["status"], "refused", "{denied}");
    let path = format!("/api/events/subscribers/{}", text(&made, "/id"));
    admin
        .patch(&path, 1, &json!({"enabled": false}))
        .await
        .unwrap();
    let created = create(&manager, "Gone Ltd").await;
    assert_eq!(created["status"], "succeeded", "{created}");
}

/// A decided call is asked about when it runs, and not before the decision.
#[tokio::test]
async fn who_is_asked_is_asked_after_the_person() {
    let (app, admin, hook) = shop().await;
    subscribe(&admin, "Compliance", &hook, json!({"pre": "sync"})).await;
    give(&admin, "delete_record", "data", "off").await;
    let manager = app.manager().await.unwrap();
    let made = create(&manager, "Leaving Ltd").await;
    let id = &made["output"]["records"][0]["id"];
    let arguments = json!({"model": "customer", "id": id});
    let waiting = manager.call("delete_record", &arguments).await.unwrap();
    assert_eq!(waiting["status"], "waiting", "{waiting}");
    assert!(hook.received().is_empty());
    hook.answers(WebhookAnswer::Say(
        200,
        r#"{"decision":"deny","reason":"keep it"}"#,
    ));
    let (status, body) = manager
        .decide(&waiting["approval"], "approve", None)
        .await
        .unwrap();
    assert!(status.is_success(), "{body}");
    let path = format!("/api/calls/{}", text(&waiting, "/id"));
    let (_, call) = manager.get(&path).await.unwrap();
    assert_eq!(call["status"], "refused", "{call}");
    assert!(text(&call, "/error").contains("keep it"));
    assert_eq!(found(&manager, "Leaving Ltd").await, 1);
}

/// What a callback is asked with, and whether it can be.
#[derive(Debug)]
struct Guard(Result<Answer, &'static str>);

impl Callback for Guard {
    fn name(&self) -> &'static str {
        "guard"
    }

    fn pre(&self) -> PreMode {
        PreMode::Sync
    }

    fn receive<'a>(&'a self, event: &'a ToolEvent) -> Received<'a> {
        Box::pin(async move {
            assert_eq!(event.kind, "tool.call.pre");
            match &self.0 {
                Ok(answer) => Ok(answer.clone()),
                Err("panic") => panic!("a guard that throws"),
                Err(error) => Err((*error).to_owned()),
            }
        })
    }
}

async fn guarded(answer: Result<Answer, &'static str>) -> Value {
    let options = TestAppOptions {
        callbacks: vec![Arc::new(Guard(answer))],
        ..TestAppOptions::default()
    };
    let (app, admin, _hook) = prepared(TestApp::start_with(options).await.unwrap()).await;
    give(&admin, "create_record", "name", "off").await;
    let manager = app.manager().await.unwrap();
    let made = create(&manager, "Guarded Ltd").await;
    let count = found(&manager, "Guarded Ltd").await;
    assert_eq!(count, usize::from(made["status"] == "succeeded"));
    made
}

#[tokio::test]
async fn a_callback_is_asked_and_one_that_throws_denies() {
    let allowed = guarded(Ok(Answer::Allow)).await;
    assert_eq!(allowed["status"], "succeeded", "{allowed}");
    let reason = Some("closed".to_owned());
    let denied = guarded(Ok(Answer::Deny { reason })).await;
    assert_eq!(denied["status"], "refused", "{denied}");
    assert!(
        text(&denied, "/error").contains("guard") && text(&denied, "/error").contains("closed")
    );
    for broken in ["panic", "no idea"] {
        let denied = guarded(Err(broken)).await;
        assert_eq!(denied["status"], "refused", "{denied}");
        assert!(!text(&denied, "/error").contains("no idea"), "{denied}");
    }
}
