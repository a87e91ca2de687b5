//! How much of language models is used, and how much may be.

use jiff::SignedDuration;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_data::ManualClock;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{conversation, text, told};

async fn shop() -> (TestApp, TestClient, ManualClock) {
    let clock = ManualClock::at("2026-12-30T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    app.model.script(vec![
        Rule::on_user("hello", Reply::text("Good day.")),
        Rule::on_user(
            "orders",
            Reply::call("search_records", json!({"model": "order", "limit": 1})),
        ),
        Rule::after("search_records", Reply::text("There is one.")),
    ]);
    let admin = app.client("admin@shop.test").await.unwrap();
    (app, admin, clock)
}

async fn policy(admin: &TestClient, policy: Value) -> Value {
    let (status, body) = admin.post("/api/usage-policies", &policy).await.unwrap();
    assert_eq!(status, StatusCode::CREATED, "{body}");
    body
}

/// Says something; answers with the status and what came of it.
async fn say(client: &TestClient, words: &str) -> (StatusCode, Value) {
    let body = json!({
        "id": conversation(), "trigger": "submit-message",
        "messages": [{"id": conversation(), "role": "user", "parts": [{"type": "text", "text": words}]}],
    });
    let response = client
        .send(Method::POST, "/api/agents/shop/chat", Some(&body))
        .await
        .unwrap();
    let status = response.status();
    let body = response.text().await.unwrap();
    (status, serde_json::from_str(&body).unwrap_or(Value::Null))
}

async fn used(client: &TestClient) -> i64 {
    let (_, allowance) = client.get("/api/usage/allowance").await.unwrap();
    allowance["usedTokens"].as_i64().unwrap()
}

#[tokio::test]
async fn what_is_used_is_counted_by_day_user_agent_and_model() {
    let (app, admin, clock) = shop().await;
    let (sam, mona) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    assert_eq!(say(&sam, "orders").await.0, StatusCode::OK);
    assert_eq!(say(&mona, "hello").await.0, StatusCode::OK);
    clock.advance(SignedDuration::from_hours(24));
    assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    let (_, usage) = admin.get("/api/usage").await.unwrap();
    let lines: Vec<_> = usage["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            let tokens =
                line["inputTokens"].as_i64().unwrap() + line["outputTokens"].as_i64().unwrap();
            assert!(tokens > 0, "{line}");
            assert_eq!(
                (text(line, "/agent"), text(line, "/model")),
                ("shop", "scripted")
            );
            let counts = (
                line["requests"].as_i64().unwrap(),
                line["steps"].as_i64().unwrap(),
            );
            (
                text(line, "/day").to_owned(),
                text(line, "/user").to_owned(),
                counts,
            )
        })
        .collect();
    let line = |day: &str, user: &str, counts| (day.to_owned(), user.to_owned(), counts);
    let mut expected = vec![
        line("2026-12-31", "Sam Sales", (1, 1)),
        line("2026-12-30", "Sam Sales", (2, 3)),
        line("2026-12-30", "Mona Manager", (1, 1)),
    ];
    let mut lines = lines;
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
    // Everybody sees their own, and nobody else's.
    let (_, own) = mona.get("/api/usage").await.unwrap();
    assert_eq!(own["items"].as_array().unwrap().len(), 1, "{own}");
    let sams = usage["items"][0]["userId"].as_str().unwrap();
    let path = format!("/api/usage?userId={sams}");
    assert_eq!(mona.get(&path).await.unwrap().0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn who_has_used_up_the_month_is_told_when_it_renews() {
    let (app, admin, clock) = shop().await;
    let sam = app.sales().await.unwrap();
    assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    let so_far = used(&sam).await;
    assert!(so_far > 0);
    policy(
        &admin,
        json!({"subjectKind": "org", "monthlyTokens": so_far}),
    )
    .await;
    let (status, body) = say(&sam, "hello").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{body}");
    let detail = text(&body, "/detail");
    assert!(detail.contains("renew on 2027-01-01"), "{detail}");
    // It is everybody's own month that counts, and nothing of the refused message is kept.
    assert_eq!(
        say(&app.manager().await.unwrap(), "hello").await.0,
        StatusCode::OK
    );
    let (_, known) = sam.get("/api/conversations").await.unwrap();
    assert_eq!(known["items"].as_array().unwrap().len(), 1, "{known}");
    clock.advance(SignedDuration::from_hours(48));
    assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    assert!(used(&sam).await <= so_far, "a new month");
}

#[tokio::test]
async fn a_run_that_uses_up_the_month_ends_with_the_reason() {
    let (app, admin, _) = shop().await;
    let sam = app.sales().await.unwrap();
    policy(
        &admin,
        json!({"subjectKind": "role", "subject": "sales", "monthlyTokens": 1}),
    )
    .await;
    let chunks = sam.chat("shop", &conversation(), "orders").await.unwrap();
    let told = format!("{}{:?}", told(&chunks), chunks);
    assert!(told.contains("are used up"), "{told}");
    assert!(!told.contains("There is one."), "{told}");
}

#[tokio::test]
async fn at_most_so_many_messages_a_minute_are_answered() {
    let (app, admin, clock) = shop().await;
    let sam = app.sales().await.unwrap();
    policy(
        &admin,
        json!({"subjectKind": "org", "requestsPerMinute": 2}),
    )
    .await;
    for _ in 0..2 {
        assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    }
    let (status, body) = say(&sam, "hello").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{body}");
    assert!(text(&body, "/detail").contains("wait a moment"), "{body}");
    clock.advance(SignedDuration::from_secs(61));
    assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    // The most generous of those that speak of a user holds.
    policy(
        &admin,
        json!({"subjectKind": "role", "subject": "sales", "requestsPerMinute": 100}),
    )
    .await;
    for _ in 0..3 {
        assert_eq!(say(&sam, "hello").await.0, StatusCode::OK);
    }
}

#[tokio::test]
async fn policies_are_for_administrators_and_are_checked() {
    let (app, admin, _) = shop().await;
    let mona = app.manager().await.unwrap();
    let org = json!({"subjectKind": "org", "monthlyTokens": 1000});
    let (status, _) = mona.post("/api/usage-policies", &org).await.unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(
        mona.get("/api/usage-policies").await.unwrap().0,
        StatusCode::FORBIDDEN
    );
    let made = policy(&admin, org.clone()).await;
    for (wrong, why) in [
        (org, "already"),
        (
            json!({"subjectKind": "role", "subject": " ", "monthlyTokens": 1}),
            "names a role",
        ),
        (
            json!({"subjectKind": "user", "subject": "sam", "monthlyTokens": 1}),
            "id of a user",
        ),
        (
            json!({"subjectKind": "user", "subject": conversation(), "monthlyTokens": 1}),
            "id of a user",
        ),
        (
            json!({"subjectKind": "team", "subject": "x", "monthlyTokens": 1}),
            "org, role or user",
        ),
        (json!({"subjectKind": "role", "subject": "x"}), "or both"),
        (
            json!({"subjectKind": "role", "subject": "x", "monthlyTokens": -1}),
            "0 or more",
        ),
    ] {
        let (status, body) = admin.post("/api/usage-policies", &wrong).await.unwrap();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {body}");
        assert!(text(&body, "/detail").contains(why), "{wrong}: {body}");
    }
    let path = format!("/api/usage-policies/{}", text(&made, "/id"));
    let put = async |client: &TestClient, version: &str| {
        let request = client.raw(Method::PUT, &path).header("if-match", version);
        let request = request.json(&json!({"requestsPerMinute": 3}));
        request.send().await.unwrap().status()
    };
    assert_eq!(put(&mona, "\"1\"").await, StatusCode::FORBIDDEN);
    assert_eq!(put(&admin, "\"7\"").await, StatusCode::PRECONDITION_FAILED);
    assert_eq!(put(&admin, "\"1\"").await, StatusCode::OK);
    let (_, listed) = admin.get("/api/usage-policies").await.unwrap();
    assert_eq!(listed["items"][0]["monthlyTokens"], json!(null));
    assert_eq!(listed["items"][0]["requestsPerMinute"], 3);
    let (status, _) = mona.answer(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, _) = admin.answer(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = admin.answer(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
}
