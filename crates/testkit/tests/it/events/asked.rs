use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib_data::platform::subscribers::PreMode;
use toolcrib_runtime::{Answer, Callback, Received, ToolEvent};
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient, WebhookAnswer};

use super::{create, give, kinds, prepared, shop, subscribe};
use crate::support::{conversation, text};

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
        (WebhookAnswer::Say(500, ""), "gave no usable answer"),
        (WebhookAnswer::Say(302, ""), "gave no usable answer"),
        (WebhookAnswer::Say(200, ""), "gave no usable answer"),
        (
            WebhookAnswer::Say(200, r#"["allow"]"#),
            "gave no usable answer",
        ),
        (WebhookAnswer::Say(200, "whatever"), "gave no usable answer"),
        (WebhookAnswer::Hang, "gave no usable answer"),
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
    assert_eq!(received.len(), 10, "searching is none of its tools");
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

/// A gate for a function of a data model, whatever tool it is done by.
#[tokio::test]
async fn a_function_is_guarded_also_where_another_tool_does_it() {
    let app = TestApp::start().await.unwrap();
    std::fs::create_dir_all(app.dir().join("tools")).unwrap();
    std::fs::write(app.dir().join("tools/customer.yaml"), "model: customer\n").unwrap();
    let (app, admin, hook) = prepared(app.restart().await.unwrap()).await;
    let ask = json!({"requiresApproval": false});
    admin.switch("customer_create", &ask).await.unwrap();
    give(&admin, "customer_create", "data", "off").await;
    let asked = json!({"pre": "sync", "tools": ["customer_create"]});
    subscribe(&admin, "Compliance", &hook, asked).await;
    hook.answers(WebhookAnswer::Say(
        200,
        r#"{"decision":"deny","reason":"closed"}"#,
    ));
    let manager = app.manager().await.unwrap();
    let made = create(&manager, "Round the back Ltd").await;
    assert_eq!(made["status"], "refused", "{made}");
    assert_eq!(found(&manager, "Round the back Ltd").await, 0);
}

/// While others are asked, the tool may be switched off, or begin to ask.
#[tokio::test]
async fn what_changed_while_others_were_asked_does_not_run() {
    let (app, admin, hook) = shop().await;
    let asked = json!({"pre": "sync", "timeoutMs": 30_000});
    subscribe(&admin, "Compliance", &hook, asked).await;
    give(&admin, "create_record", "name", "off").await;
    let manager = app.manager().await.unwrap();
    for (number, change) in [
        json!({"enabled": false}),
        json!({"enabled": true, "roles": ["admin"]}),
        json!({"roles": [], "requiresApproval": true}),
    ]
    .into_iter()
    .enumerate()
    {
        let gate = hook.hold();
        let name = format!("Meanwhile {number}");
        let calling = create(&manager, &name);
        let changing = async {
            hook.until(number + 1).await;
            admin.switch("create_record", &change).await.unwrap();
            drop(gate);
        };
        let (made, ()) = tokio::join!(calling, changing);
        assert_eq!(made["status"], "refused", "{change}: {made}");
        assert_eq!(found(&manager, &name).await, 0);
        let back = json!({"enabled": true, "roles": [], "requiresApproval": false});
        admin.switch("create_record", &back).await.unwrap();
    }
}

#[tokio::test]
async fn a_run_that_is_stopped_while_others_are_asked_is_cancelled() {
    let (app, admin, hook) = shop().await;
    app.model.script(vec![Rule::on_user(
        "orders",
        Reply::call("search_records", json!({"model": "order"})),
    )]);
    subscribe(
        &admin,
        "Compliance",
        &hook,
        json!({"pre": "sync", "timeoutMs": 30_000}),
    )
    .await;
    give(&admin, "search_records", "name", "off").await;
    hook.answers(WebhookAnswer::Hang);
    let manager = app.manager().await.unwrap();
    let id = conversation();
    let stopping = async {
        hook.until(1).await;
        let path = format!("/api/conversations/{id}/stop");
        let (status, body) = manager.post(&path, &json!({})).await.unwrap();
        assert!(status.is_success(), "{body}");
    };
    let (chunks, ()) = tokio::join!(manager.chat("shop", &id, "orders"), stopping);
    chunks.unwrap();
    let (_, calls) = manager.get("/api/calls?tool=search_records").await.unwrap();
    assert_eq!(calls["items"][0]["status"], "cancelled", "{calls}");
}

#[tokio::test]
async fn a_trial_asks_too_and_tells_nobody() {
    let (app, admin, hook) = shop().await;
    subscribe(
        &admin,
        "Compliance",
        &hook,
        json!({"pre": "sync", "post": true}),
    )
    .await;
    for tool in ["search_records", "create_record"] {
        give(&admin, tool, "data", "data").await;
    }
    hook.answers(WebhookAnswer::Say(
        200,
        r#"{"decision":"deny","reason":"not even tried"}"#,
    ));
    let manager = app.manager().await.unwrap();
    let search = json!({"model": "customer", "limit": 1});
    let tried = manager.attempt("search_records", &search).await.unwrap();
    assert_eq!(tried["status"], "refused", "{tried}");
    assert!(text(&tried, "/error").contains("not even tried"));
    hook.answers(WebhookAnswer::Say(204, ""));
    let tried = manager.attempt("search_records", &search).await.unwrap();
    assert_eq!(tried["status"], "succeeded", "{tried}");
    let received = hook.received();
    assert_eq!(kinds(&received), ["tool.call.pre", "tool.call.pre"]);
    assert_eq!(received[1].json["data"]["trial"], true);
    assert!(super::deliveries(&admin, "").await.is_empty());
}
