//! Names of tools: whose they are, and that they stay.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp, TestClient};

use crate::support::{conversation, text};

async fn link(client: &TestClient, file: &str, model: &str) -> (StatusCode, Value) {
    let path = format!("/api/workspace/documents/tools/{file}.yaml");
    let request = client
        .raw(Method::PUT, &path)
        .header("if-none-match", "*")
        .json(&json!({ "text": format!("model: {model}\n") }));
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

#[tokio::test]
async fn what_would_take_anothers_name_is_not_saved_and_why_is_told() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (status, body) = link(&admin, "order", "order").await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let (status, body) = link(&admin, "again", "order").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    let told = body["errors"].to_string();
    assert!(told.contains("is a function of `order` already"), "{told}");
}

#[tokio::test]
async fn a_standard_tool_has_the_name_of_its_type_and_keeps_it() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (_, row) = admin.get("/api/tools/read_record").await.unwrap();
    let version = row["version"].as_i64().unwrap();
    let rename = json!({"name": "look_up"});
    let (status, body) = admin
        .patch("/api/tools/read_record", version, &rename)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    assert!(body.to_string().contains("name"), "{body}");
    let (_, after) = admin.get("/api/tools/read_record").await.unwrap();
    assert_eq!(after, row);
    assert_eq!(
        admin.get("/api/tools/look_up").await.unwrap().0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_tool_needs_no_output_schema() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let call = admin.call("list_models", &json!({})).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded");
    let with = json!({"settings": {"outputSchema": {"type": "object"}}});
    let saved = admin.switch("list_models", &with).await.unwrap();
    assert!(saved.pointer("/settings/outputSchema").unwrap().is_object());
    let saved = admin.switch("list_models", &json!({"settings": {}})).await;
    let saved = saved.unwrap();
    let schema = saved.pointer("/settings/outputSchema");
    assert!(schema.is_none_or(Value::is_null), "{saved}");
    let call = admin.call("list_models", &json!({})).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded");
}

/// The names of the tools that the model was offered last.
fn offered(app: &TestApp) -> Vec<String> {
    let requests = app.model.requests();
    let tools = requests.last().unwrap()["tools"].as_array().cloned();
    let tools = tools.unwrap_or_default().into_iter();
    tools
        .map(|tool| text(&tool, "/function/name").to_owned())
        .collect()
}

#[tokio::test]
async fn a_change_of_a_row_changes_the_tool_of_every_agent_that_links_it() {
    let app = TestApp::start().await.unwrap();
    for agent in ["first", "second"] {
        let text = "---\ntools: [list_models, current_user]\n---\nYou answer.\n";
        std::fs::write(app.dir().join(format!("agents/{agent}.md")), text).unwrap();
    }
    let app = app.restart().await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Yes."))]);
    let admin = app.client("admin@shop.test").await.unwrap();
    let all = ["current_user", "list_models"];
    for (change, left) in [
        (json!({}), &all[..]),
        (json!({"enabled": false}), &all[..1]),
        (json!({"enabled": true, "roles": ["manager"]}), &all[..1]),
        (json!({"roles": ["manager", "admin"]}), &all[..]),
    ] {
        admin.switch("list_models", &change).await.unwrap();
        for agent in ["first", "second"] {
            admin.chat(agent, &conversation(), "hello").await.unwrap();
            assert_eq!(offered(&app), left, "{agent} after {change}");
        }
    }
}
