use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use serde_json::{Value, json};
use toolcrib_testkit::TestApp;

use crate::support::text;

#[tokio::test]
async fn a_body_of_20_megabytes_is_refused_with_a_problem() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let body = json!({"arguments": {"model": "x".repeat(20_000_000)}});
    let (status, problem) = client
        .post("/api/tools/read_record/call", &body)
        .await
        .unwrap();
    assert_eq!(
        (status.as_u16(), text(&problem, "/code")),
        (413, "too_large")
    );
}

#[tokio::test]
async fn problems_have_a_code_a_sentence_and_a_request_id() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    for (path, status, code) in [
        ("/api/nothing", 404, "not_found"),
        ("/api/tools/nothing", 404, "not_found"),
        ("/api/calls/not-an-id", 404, "not_found"),
        ("/api/calls?limit=1000", 422, "invalid_request"),
        ("/api/calls?status=done", 422, "invalid_request"),
        ("/api/calls?limit=many", 422, "invalid_request"),
        ("/api/calls?cursor=anything", 422, "invalid_request"),
        ("/api/tools/%ff", 404, "not_found"),
        ("/api/setup/", 404, "not_found"),
        ("/api/agents/nobody", 404, "not_found"),
    ] {
        let response = client.send(Method::GET, path, None).await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(
            response.headers()[CONTENT_TYPE],
            "application/problem+json",
            "{path}"
        );
        let id = response.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let body: Value = response.json().await.unwrap();
        assert_eq!(text(&body, "/code"), code, "{path}");
        assert_eq!(text(&body, "/requestId"), id);
        assert!(text(&body, "/detail").ends_with('.'), "{body}");
    }
    let response = client
        .send(Method::POST, "/api/session", Some(&json!({"tokn": "x"})))
        .await
        .unwrap();
    let body: Value = response.json().await.unwrap();
    assert_eq!(text(&body, "/code"), "invalid_request");
    assert!(text(&body, "/detail").contains("tokn"), "{body}");
}

#[tokio::test]
async fn a_wrong_method_is_a_problem_that_lists_the_right_ones() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let response = client
        .send(Method::DELETE, "/api/tools", None)
        .await
        .unwrap();
    assert_eq!(response.status(), 405);
    assert!(
        response.headers()["allow"]
            .to_str()
            .unwrap()
            .contains("GET")
    );
    let body: Value = response.json().await.unwrap();
    assert_eq!(
        (text(&body, "/code"), &body["status"]),
        ("method_not_allowed", &json!(405))
    );
}

#[tokio::test]
async fn requests_from_other_sites_and_other_names_are_refused() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let plain = client.raw(Method::GET, "/api/session");
    assert_eq!(plain.send().await.unwrap().status(), 200);
    let rebound = client
        .raw(Method::GET, "/api/session")
        .header(HOST, "evil.example");
    assert_eq!(rebound.send().await.unwrap().status(), 421);
    let foreign = client
        .raw(Method::POST, "/api/tools/list_models/call")
        .header(ORIGIN, "http://evil.example")
        .json(&json!({}));
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    let no_origin = client
        .raw(Method::POST, "/api/tools/list_models/call")
        .header(COOKIE, "toolcrib_session=whatever")
        .json(&json!({}));
    assert_eq!(
        no_origin.send().await.unwrap().status(),
        403,
        "a cookie alone is not enough"
    );
}

#[tokio::test]
async fn health_is_open_and_everything_else_is_not() {
    let app = TestApp::start().await.unwrap();
    let stranger = toolcrib_testkit::TestClient::new(app.url(), "stranger");
    for path in ["/healthz", "/readyz", "/api/openapi.json"] {
        assert_eq!(stranger.get(path).await.unwrap().0, 200, "{path}");
    }
    let (_, document) = stranger.get("/api/openapi.json").await.unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods
            .as_object()
            .unwrap()
            .keys()
            .filter(|method| *method != "parameters")
        {
            if ["/healthz", "/readyz"].contains(&path.as_str())
                || (path.starts_with("/api/session") && method == "post")
            {
                continue;
            }
            let path = path.replace("{name}", "shop").replace("{id}", "0");
            let method: Method = method.to_uppercase().parse().unwrap();
            let (status, body) = {
                let response = stranger
                    .send(method.clone(), &path, Some(&json!({})))
                    .await
                    .unwrap();
                (response.status(), response.json::<Value>().await.unwrap())
            };
            assert_eq!(
                (status.as_u16(), text(&body, "/code")),
                (401, "not_signed_in"),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn the_page_has_a_policy_without_unsafe_and_a_new_nonce_each_time() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let policy = |response: &reqwest::Response| {
        response.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned()
    };
    let first = client.send(Method::GET, "/", None).await.unwrap();
    let second = client
        .send(Method::GET, "/chat/whatever", None)
        .await
        .unwrap();
    assert!(!policy(&first).contains("unsafe"));
    assert_ne!(policy(&first), policy(&second));
}

#[tokio::test]
async fn the_openapi_document_is_as_it_was_reviewed() {
    insta::assert_json_snapshot!(toolcrib_server::document());
}
