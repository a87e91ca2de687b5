use serde_json::{Value, json};
use toolcrib_counter::CounterOptions;
use toolcrib_data::ManualClock;
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient};

use crate::support::text;

async fn waiting(client: &TestClient) -> Value {
    let arguments = json!({"model": "order", "id": 1, "values": {"status": "cancelled"}});
    let call = client.call("update_record", &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "waiting", "{call}");
    call["approval"].clone()
}

#[tokio::test]
async fn an_approved_call_runs_once_in_the_request_that_decided_it() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let approval = waiting(&client).await;
    let (status, body) = client.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(status, 200, "{body}");
    assert_eq!(text(&body, "/call/status"), "succeeded");
    assert_eq!(text(&body, "/approval/decider/name"), "Mona Manager");
    assert_eq!(
        text(&body, "/call/title"),
        "Update order SO-10001",
        "titled as its card was"
    );
    let (status, body) = client.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(
        (status.as_u16(), text(&body, "/code")),
        (409, "already_decided")
    );
    assert!(
        text(&body, "/detail").contains("already approved by Mona Manager"),
        "{body}"
    );
    let call = client
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_eq!(call.pointer("/output/records/0/version"), Some(&json!(2)));
}

#[tokio::test]
async fn of_many_decisions_at_once_one_counts() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let approval = waiting(&client).await;
    let decisions = (0..12).map(|n| {
        let (client, approval) = (client.clone(), approval.clone());
        async move {
            client
                .decide(
                    &approval,
                    if n % 2 == 0 { "approve" } else { "reject" },
                    None,
                )
                .await
                .unwrap()
                .0
        }
    });
    let statuses = futures_util::future::join_all(decisions).await;
    assert_eq!(
        statuses.iter().filter(|status| status.is_success()).count(),
        1,
        "{statuses:?}"
    );
}

#[tokio::test]
async fn another_user_finds_no_such_approval() {
    let app = TestApp::start().await.unwrap();
    let approval = waiting(&app.manager().await.unwrap()).await;
    let other = app.client("admin@shop.test").await.unwrap();
    let (status, body) = other.decide(&approval, "approve", None).await.unwrap();
    assert_eq!((status.as_u16(), text(&body, "/code")), (404, "not_found"));
    assert!(other.pending().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_decision_about_other_arguments_is_stale() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let mut approval = waiting(&client).await;
    approval["argumentsHash"] = "0".repeat(64).into();
    let (status, body) = client.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(
        (status.as_u16(), text(&body, "/code")),
        (409, "stale_decision")
    );
    assert_eq!(client.pending().await.unwrap().len(), 1, "it still waits");
}

#[tokio::test]
async fn a_change_that_is_asked_for_needs_words() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let approval = waiting(&client).await;
    let (status, body) = client
        .decide(&approval, "request_change", Some("  "))
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), text(&body, "/code")),
        (422, "reason_missing")
    );
}

#[tokio::test]
async fn a_record_that_changed_since_the_card_was_shown_makes_the_call_stale() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let first = waiting(&client).await;
    let note = json!({"model": "order", "id": 1, "values": {"note": "changed in between"}});
    let second = client.call("update_record", &note).await.unwrap();
    client
        .decide(&second["approval"], "approve", None)
        .await
        .unwrap();
    let (_, body) = client.decide(&first, "approve", None).await.unwrap();
    assert_eq!(text(&body, "/call/status"), "refused", "{body}");
    assert!(text(&body, "/call/error").contains("changed"), "{body}");
    let call = client
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/output/records/0/status"), "delivered");
}

#[tokio::test]
async fn a_token_can_neither_decide_nor_ask_unless_it_was_given_that() {
    let app = TestApp::start().await.unwrap();
    let session = app.manager().await.unwrap();
    let token = |scopes: Value, attended: bool| {
        let session = session.clone();
        let url = app.url().to_owned();
        async move {
            let wanted = json!({"name": "t", "scopes": scopes, "attended": attended});
            let (status, body) = session.post("/api/tokens", &wanted).await.unwrap();
            assert_eq!(status, 201, "{body}");
            TestClient::new(&url, text(&body, "/secret"))
        }
    };
    let plain = token(json!([]), true).await;
    let approval = waiting(&plain).await;
    let (status, body) = plain.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(
        (status.as_u16(), text(&body, "/code")),
        (403, "not_yours_to_decide")
    );
    let deciding = token(json!(["approvals:decide"]), true).await;
    let own = waiting(&deciding).await;
    let (status, _) = deciding.decide(&own, "approve", None).await.unwrap();
    assert_eq!(status, 403, "the token that made a call never decides it");
    let (status, _) = deciding.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(status, 200, "another one with the scope may");
    let alone = token(json!([]), false).await;
    let call = alone
        .call(
            "update_record",
            &json!({"model": "order", "id": 2, "values": {"note": "x"}}),
        )
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "refused");
    assert!(
        text(&call, "/error").contains("nobody can be asked"),
        "{call}"
    );
    let (status, _) = plain
        .post("/api/tokens", &json!({"name": "another"}))
        .await
        .unwrap();
    assert_eq!(status, 403, "a token makes no tokens");
}

#[tokio::test]
async fn an_approval_that_nobody_decides_expires_as_rejected() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        counter: CounterOptions::default(),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let client = app.manager().await.unwrap();
    let approval = waiting(&client).await;
    clock.advance(jiff::SignedDuration::from_hours(25));
    app.runtime.look_once().await.unwrap();
    let (status, body) = client.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(status, 409);
    assert!(text(&body, "/detail").contains("expired"), "{body}");
    let (_, call) = client
        .get(&format!("/api/calls/{}", text(&approval, "/callId")))
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "expired");
}

#[tokio::test]
async fn a_destructive_tool_always_asks_and_says_that_it_cannot_be_undone() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let change = json!({"requiresApproval": false});
    admin.switch("delete_record", &change).await.unwrap();
    let call = admin
        .call("delete_record", &json!({"model": "invoice", "ids": [1, 2]}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "waiting");
    assert_eq!(
        call.pointer("/approval/card/irreversible"),
        Some(&json!(true))
    );
    assert_eq!(call.pointer("/approval/card/recordCount"), Some(&json!(2)));
}

#[tokio::test]
async fn a_write_tool_runs_freely_where_its_row_says_so() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (_, tool) = admin.get("/api/tools/update_record").await.unwrap();
    let version = tool["version"].as_i64().unwrap();
    let (status, saved) = admin
        .patch(
            "/api/tools/update_record",
            version,
            &json!({"requiresApproval": false}),
        )
        .await
        .unwrap();
    assert_eq!(status, 200, "{saved}");
    assert_eq!(saved["version"], json!(version + 1));
    let (status, _) = admin
        .patch(
            "/api/tools/update_record",
            version,
            &json!({"enabled": false}),
        )
        .await
        .unwrap();
    assert_eq!(status, 412, "the version has moved on");
    let call = admin
        .call(
            "update_record",
            &json!({"model": "order", "id": 1, "values": {"note": "x"}}),
        )
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "succeeded");
    assert_eq!(call["toolVersion"], json!(version + 1));
}

#[tokio::test]
async fn a_tool_that_was_changed_after_the_card_was_shown_is_another_question() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let approval = waiting(&client).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let change = json!({"requiresApproval": false});
    admin.switch("update_record", &change).await.unwrap();
    let (_, body) = client.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(text(&body, "/call/status"), "refused", "{body}");
}

#[tokio::test]
async fn a_tool_that_is_switched_off_while_a_call_waits_does_not_run() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let approval = waiting(&client).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let change = json!({"enabled": false});
    admin.switch("update_record", &change).await.unwrap();
    let (_, body) = client.decide(&approval, "approve", None).await.unwrap();
    assert_eq!(text(&body, "/call/status"), "refused", "{body}");
    let call = client
        .call(
            "update_record",
            &json!({"model": "order", "id": 1, "values": {}}),
        )
        .await
        .unwrap();
    assert!(
        text(&call, "/error").starts_with("There is no tool named"),
        "not offered is unknown: {call}"
    );
}
