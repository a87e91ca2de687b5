use reqwest::Method;
use serde_json::json;
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

#[tokio::test]
async fn a_sign_in_link_is_spent_once_and_only_by_a_post() {
    let app = TestApp::start().await.unwrap();
    let token = app
        .runtime
        .sign_in_link("mona@shop.test")
        .await
        .unwrap()
        .unwrap();
    let stranger = TestClient::new(app.url(), "");
    // A link preview follows links: nothing is spent by that.
    stranger
        .get(&format!("/sign-in?token={token}"))
        .await
        .unwrap();
    let response = stranger
        .raw(Method::POST, "/api/session")
        .json(&json!({"token": token}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    let cookie = response.headers()["set-cookie"]
        .to_str()
        .unwrap()
        .to_owned();
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    let (status, body) = stranger
        .post("/api/session", &json!({"token": token}))
        .await
        .unwrap();
    assert_eq!((status.as_u16(), text(&body, "/code")), (401, "link_spent"));
}

#[tokio::test]
async fn a_session_that_is_ended_does_not_hold_any_more() {
    let app = TestApp::start().await.unwrap();
    let client = app.sales().await.unwrap();
    let (_, session) = client.get("/api/session").await.unwrap();
    assert_eq!(text(&session, "/user/email"), "sam@shop.test");
    assert_eq!(session["mayEdit"], json!(false));
    assert_eq!(
        client
            .send(Method::DELETE, "/api/session", None)
            .await
            .unwrap()
            .status(),
        204
    );
    assert_eq!(client.get("/api/session").await.unwrap().0, 401);
}

#[tokio::test]
async fn conversations_belong_to_their_owner() {
    let app = TestApp::start().await.unwrap();
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let id = crate::support::conversation();
    manager.chat("shop", &id, "hello").await.unwrap();
    let path = format!("/api/conversations/{id}");
    assert_eq!(sales.get(&path).await.unwrap().0, 404);
    assert_eq!(
        sales
            .post(&format!("{path}/stop"), &json!({}))
            .await
            .unwrap()
            .0,
        404
    );
    assert_eq!(
        sales
            .send(Method::DELETE, &path, None)
            .await
            .unwrap()
            .status(),
        404
    );
    assert!(sales.chat("shop", &id, "let me in").await.is_err());
    assert_eq!(
        sales.get(&format!("{path}/stream")).await.unwrap().0,
        204,
        "as if it did not exist"
    );
    assert_eq!(
        manager
            .send(Method::DELETE, &path, None)
            .await
            .unwrap()
            .status(),
        204
    );
    assert_eq!(manager.get(&path).await.unwrap().0, 404);
}

#[tokio::test]
async fn only_editors_change_tools_and_the_language_model() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let (status, body) = manager
        .patch("/api/tools/update_record", 1, &json!({"enabled": false}))
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), text(&body, "/code")),
        (403, "not_allowed")
    );
    let endpoint = json!({"baseUrl": "http://127.0.0.1:1/v1", "model": "m"});
    let (status, _) = manager
        .post(
            "/api/language-models/check",
            &json!({"baseUrl": "http://127.0.0.1:1/v1"}),
        )
        .await
        .unwrap();
    assert_eq!(status, 403);
    let response = manager
        .send(Method::PUT, "/api/language-models/default", Some(&endpoint))
        .await
        .unwrap();
    assert_eq!(response.status(), 403);
}

#[tokio::test]
async fn the_language_model_is_set_in_the_web_app_and_its_key_is_never_shown() {
    let options = toolcrib_testkit::TestAppOptions {
        with_model: false,
        ..Default::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (status, problem) = admin
        .post(
            "/api/agents/shop/chat",
            &json!({"id": crate::support::conversation(), "messages": [
            {"id": "m", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]}),
        )
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), text(&problem, "/code")),
        (409, "no_language_model")
    );
    let (_, list) = admin.get("/api/conversations").await.unwrap();
    assert_eq!(list["items"], json!([]), "nothing is stored then");
    let base_url = app.model.base_url().to_owned();
    let (status, body) = admin
        .post("/api/language-models/check", &json!({"baseUrl": base_url}))
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), &body["models"]),
        (200, &json!(["scripted"]))
    );
    let (status, problem) = admin
        .post(
            "/api/language-models/check",
            &json!({"baseUrl": "http://127.0.0.1:1/v1"}),
        )
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), text(&problem, "/code")),
        (422, "language_model_check")
    );
    let with_key = json!({"baseUrl": "http://user:pass@127.0.0.1:1/v1?key=abc"});
    let (status, problem) = admin
        .post("/api/language-models/check", &with_key)
        .await
        .unwrap();
    assert_eq!(status, 422);
    assert!(!problem.to_string().contains("pass"), "{problem}");
    let endpoint = json!({"baseUrl": base_url, "apiKey": "sk-very-secret", "model": "scripted"});
    let response = admin
        .send(Method::PUT, "/api/language-models/default", Some(&endpoint))
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    app.model.script(vec![toolcrib_testkit::Rule::always(
        toolcrib_testkit::Reply::text("Hello."),
    )]);
    let chunks = admin
        .chat("shop", &crate::support::conversation(), "hi")
        .await
        .unwrap();
    assert_eq!(crate::support::told(&chunks), "Hello.");
    for path in ["/api/setup", "/api/agents", "/api/calls"] {
        let (_, body) = admin.get(path).await.unwrap();
        assert!(!body.to_string().contains("sk-very-secret"), "{path}");
    }
    let database = std::fs::read(app.dir().join("data/toolcrib.db")).unwrap_or_default();
    let wal = std::fs::read(app.dir().join("data/toolcrib.db-wal")).unwrap_or_default();
    let holds = |bytes: &[u8]| bytes.windows(14).any(|window| window == b"sk-very-secret");
    assert!(!holds(&database) && !holds(&wal), "no key in the database");
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (_, setup) = admin.get("/api/setup").await.unwrap();
    assert_eq!(
        setup.pointer("/languageModel/configured"),
        Some(&json!(true)),
        "kept over a restart"
    );
}
