use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_testkit::{TestClient, WebhookAnswer};

use super::{create, deliveries, give, shop, subscribe, until};
use crate::support::text;

#[tokio::test]
async fn only_administrators_look_after_subscribers() {
    let (app, admin, hook) = shop().await;
    let (made, _) = subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    let id = text(&made, "/id");
    let paths = [
        (Method::GET, "/api/events/subscribers".to_owned(), None),
        (
            Method::POST,
            "/api/events/subscribers".to_owned(),
            Some(json!({"name": "Mine", "url": hook.url()})),
        ),
        (
            Method::PATCH,
            format!("/api/events/subscribers/{id}"),
            Some(json!({"enabled": false})),
        ),
        (
            Method::DELETE,
            format!("/api/events/subscribers/{id}"),
            None,
        ),
        (
            Method::POST,
            format!("/api/events/subscribers/{id}/secret"),
            None,
        ),
        (
            Method::POST,
            format!("/api/events/subscribers/{id}/test"),
            None,
        ),
        (Method::GET, "/api/events/deliveries".to_owned(), None),
        (
            Method::POST,
            "/api/events/deliveries/retry".to_owned(),
            Some(json!({})),
        ),
        (
            Method::POST,
            format!("/api/events/deliveries/{id}/retry"),
            None,
        ),
        (Method::DELETE, format!("/api/events/deliveries/{id}"), None),
    ];
    for client in [app.manager().await.unwrap(), app.sales().await.unwrap()] {
        for (method, path, body) in &paths {
            let request = client.raw(method.clone(), path).header("if-match", "\"1\"");
            let request = match body {
                Some(body) => request.json(body),
                None => request,
            };
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), StatusCode::FORBIDDEN, "{method} {path}");
        }
    }
    let (_, listed) = admin.get("/api/events/subscribers").await.unwrap();
    assert_eq!(listed["items"][0], made);
}

#[tokio::test]
async fn what_is_sent_is_signed_with_a_secret_that_is_shown_once() {
    let (app, admin, hook) = shop().await;
    let (made, secret) = subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    assert!(secret.starts_with("whsec_"), "{secret}");
    let id = text(&made, "/id");
    give(&admin, "create_record", "off", "data").await;
    create(&admin, "Signed Ltd").await;
    let received = hook.until(1).await;
    let header = |name: &str| received[0].headers[name].to_str().unwrap().to_owned();
    assert_eq!(
        header("webhook-signature"),
        received[0].signature(&secret).unwrap()
    );
    assert_eq!(header("content-type"), "application/json");
    let told = deliveries(&admin, "").await;
    assert_eq!(header("webhook-id"), text(&told[0], "/id"));
    let (_, listed) = admin.get("/api/events/subscribers").await.unwrap();
    assert!(!listed.to_string().contains("whsec"), "{listed}");

    let path = format!("/api/events/subscribers/{id}/secret");
    let (_, renewed) = admin.post(&path, &json!({})).await.unwrap();
    let renewed = text(&renewed, "/secret");
    assert_ne!(renewed, secret);
    create(&admin, "Signed anew Ltd").await;
    let received = hook.until(2).await;
    let header = received[1].headers["webhook-signature"].to_str().unwrap();
    assert_eq!(header, received[1].signature(renewed).unwrap());
    assert_ne!(header, received[1].signature(&secret).unwrap());
    drop(app);
}

#[tokio::test]
async fn a_subscriber_that_is_not_sound_is_refused_with_the_reason() {
    let (_app, admin, hook) = shop().await;
    subscribe(&admin, "Ledger", &hook, json!({})).await;
    let long = "x".repeat(3000);
    for (wanted, why) in [
        (json!({"url": hook.url()}), "name"),
        (json!({"name": "  ", "url": hook.url()}), "name"),
        (json!({"name": "a\u{0}b", "url": hook.url()}), "name"),
        (json!({"name": "Ledger", "url": hook.url()}), "already"),
        (json!({"name": "n"}), "url"),
        (json!({"name": "n", "url": "ftp://example.test/"}), "http"),
        (json!({"name": "n", "url": "/relative"}), "http"),
        (
            json!({"name": "n", "url": "https://me:secret@example.test/"}),
            "password",
        ),
        (
            json!({"name": "n", "url": format!("https://example.test/{long}")}),
            "2000",
        ),
        (
            json!({"name": "n", "url": hook.url(), "pre": "maybe"}),
            "off, async or sync",
        ),
        (
            json!({"name": "n", "url": hook.url(), "timeoutMs": 5}),
            "100",
        ),
        (
            json!({"name": "n", "url": hook.url(), "tools": [""]}),
            "There is no tool",
        ),
        (
            json!({"name": "n", "url": hook.url(), "tools": ["creat_record"]}),
            "did you mean create_record",
        ),
        (
            json!({"name": "n", "url": "http://127.0.0.1:99999/"}),
            "65535",
        ),
        (json!({"name": "n", "url": "http://127.0.0.1:0/"}), "65535"),
        (json!({"name": "n", "url": "http://müller.test/"}), "xn--"),
        (
            json!({"name": "n", "url": hook.url(), "secret": "mine"}),
            "secret",
        ),
    ] {
        let (status, body) = admin
            .post("/api/events/subscribers", &wanted)
            .await
            .unwrap();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wanted}: {body}");
        assert!(body.to_string().contains(why), "{wanted}: {body}");
    }
    let (_, row) = admin.get("/api/tools/create_record").await.unwrap();
    let version = row["version"].as_i64().unwrap();
    let wrong = json!({"settings": {"events": {"pre": "loud"}}});
    let (status, body) = admin
        .patch("/api/tools/create_record", version, &wrong)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
}

async fn change(admin: &TestClient, id: &str, version: i64, change: Value) -> (StatusCode, Value) {
    let path = format!("/api/events/subscribers/{id}");
    admin.patch(&path, version, &change).await.unwrap()
}

#[tokio::test]
async fn a_subscriber_is_changed_paused_tested_and_deleted() {
    let (_app, admin, hook) = shop().await;
    let (made, _) = subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    let id = text(&made, "/id");
    give(&admin, "create_record", "off", "name").await;

    let (status, renamed) = change(&admin, id, 1, json!({"name": "Journal"})).await;
    assert_eq!(status, StatusCode::OK, "{renamed}");
    assert_eq!(
        (&renamed["name"], &renamed["version"]),
        (&json!("Journal"), &json!(2))
    );
    let (status, _) = change(&admin, id, 1, json!({"name": "Too late"})).await;
    assert_eq!(status, StatusCode::PRECONDITION_FAILED);

    // Events that are under way wait while it is switched off.
    hook.answers(WebhookAnswer::Say(500, ""));
    create(&admin, "Paused Ltd").await;
    until(&admin, "", |all| all.len() == 1 && all[0]["attempts"] == 1).await;
    let (status, _) = change(&admin, id, 2, json!({"enabled": false})).await;
    assert_eq!(status, StatusCode::OK);
    create(&admin, "Unheard Ltd").await;
    assert_eq!(deliveries(&admin, "").await.len(), 1);

    let path = format!("/api/events/subscribers/{id}/test");
    let (_, tested) = admin.post(&path, &json!({})).await.unwrap();
    assert_eq!(
        (&tested["ok"], &tested["status"]),
        (&json!(false), &json!(500))
    );
    hook.answers(WebhookAnswer::Say(200, ""));
    let (_, tested) = admin.post(&path, &json!({})).await.unwrap();
    assert_eq!(
        (&tested["ok"], &tested["status"]),
        (&json!(true), &json!(200))
    );
    let received = hook.received();
    assert_eq!(text(&received[received.len() - 1].json, "/type"), "test");

    let path = format!("/api/events/subscribers/{id}");
    let (status, _) = admin.answer(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(deliveries(&admin, "").await.is_empty());
    let (status, _) = admin.answer(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (_, listed) = admin.get("/api/events/subscribers").await.unwrap();
    assert_eq!(listed["items"], json!([]));
}

/// A webhook outlives the token that it would have been made with.
#[tokio::test]
async fn a_token_makes_no_subscriber() {
    let (_app, admin, hook) = shop().await;
    let token = json!({"name": "ci", "attended": true});
    let (_, made) = admin.post("/api/tokens", &token).await.unwrap();
    let token = TestClient::new(_app.url(), text(&made, "/secret"));
    let wanted = json!({"name": "Mine", "url": hook.url(), "post": true});
    let (status, body) = token
        .post("/api/events/subscribers", &wanted)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN, "{body}");
    let (made, _) = subscribe(&admin, "Ledger", &hook, json!({})).await;
    let path = format!("/api/events/subscribers/{}", text(&made, "/id"));
    let (status, _) = token
        .patch(&path, 1, &json!({"enabled": false}))
        .await
        .unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, _) = token.answer(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
    let secret = format!("{path}/secret");
    let (status, _) = token.post(&secret, &json!({})).await.unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
    for query in ["?subscriberId=%00", "?status=lost", "?callId=1"] {
        let (status, body) = admin
            .get(&format!("/api/events/deliveries{query}"))
            .await
            .unwrap();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
}
