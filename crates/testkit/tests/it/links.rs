//! Agents link tools: what of a link is the agent's own, and what is not.

use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp, TestClient};

use crate::support::{conversation, text};

async fn with(files: &[(&str, &str)]) -> (TestApp, TestClient) {
    let app = TestApp::start().await.unwrap();
    for (path, content) in files {
        std::fs::write(app.dir().join(path), content).unwrap();
    }
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    (app, admin)
}

/// The tools that an agent offers to this user.
async fn offered(client: &TestClient, agent: &str) -> Vec<String> {
    let (status, body) = client.get(&format!("/api/agents/{agent}")).await.unwrap();
    assert_eq!(status, 200, "{body}");
    let tools = body["tools"].as_array().unwrap().iter();
    tools.map(|tool| text(tool, "/name").to_owned()).collect()
}

const LINKS: &str = "---\ntools:\n  - list_models\n  - { name: search_records, enabled: false }\n  - { id: read_record }\n  - { name: current_user, requiresApproval: true, roles: [admin] }\n---\nLook.\n";
const OTHER: &str = "---\ntools: [search_records]\n---\nSearch.\n";

#[tokio::test]
async fn a_link_by_name_or_id_uses_the_tool_as_it_is_saved() {
    let (_app, admin) = with(&[("agents/one.md", LINKS), ("agents/other.md", OTHER)]).await;
    // Switched off for one agent, a tool is on for another.
    let of_one = offered(&admin, "one").await;
    assert_eq!(of_one, ["current_user", "list_models", "read_record"]);
    assert_eq!(offered(&admin, "other").await, ["search_records"]);
    // Whatever else the entry says, the row is as it was.
    let (_, row) = admin.get("/api/tools/current_user").await.unwrap();
    assert_eq!(row["requiresApproval"], false, "{row}");
    assert_eq!(row["roles"], json!([]));
}

#[tokio::test]
async fn a_tool_that_is_switched_off_for_an_agent_is_unknown_to_its_runs() {
    let (app, admin) = with(&[("agents/one.md", LINKS)]).await;
    app.model.script(vec![
        Rule::on_user(
            "orders",
            Reply::call("search_records", json!({"model": "order"})),
        ),
        Rule::after("search_records", Reply::text("There is no such tool.")),
    ]);
    let id = conversation();
    admin.chat("one", &id, "orders please").await.unwrap();
    let (_, calls) = admin.get("/api/calls?tool=search_records").await.unwrap();
    let call = &calls["items"][0];
    assert_eq!(call["status"], "refused", "{call}");
    let told = text(call, "/error");
    assert!(told.contains("There is no tool named"), "{told}");
    assert!(!told.contains("switched off"), "{told}");
}

async fn saved(admin: &TestClient, path: &str, content: &str) -> (u16, Value) {
    let request = admin
        .raw(
            reqwest::Method::PUT,
            &format!("/api/workspace/documents/{path}"),
        )
        .header("if-none-match", "*")
        .json(&json!({"text": content}));
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap())
}

#[tokio::test]
async fn other_keys_of_a_link_are_ignored_with_a_warning() {
    let (_app, admin) = with(&[]).await;
    let (status, body) = saved(&admin, "agents/warned.md", LINKS).await;
    assert_eq!(status, 200, "{body}");
    let warnings = body["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    for (warning, key) in warnings.iter().zip(["requiresApproval", "roles"]) {
        let warning = warning.as_str().unwrap();
        assert!(warning.starts_with("agents/warned.md:6:"), "{warning}");
        assert!(warning.contains(&format!("`{key}` of `current_user` is ignored")));
    }
}

#[tokio::test]
async fn a_link_that_is_none_is_refused_with_its_place() {
    let (_app, admin) = with(&[]).await;
    for (entry, why, line) in [
        ("{ enabled: true }", "says its name", 2),
        ("{ name: 5 }", "says its name", 2),
        ("{ id: read_record, name: read_record }", "not both", 4),
        ("{ name: read_record, enabled: maybe }", "true or false", 4),
        ("{ name: list_models }", "more than once", 3),
        ("{ name: read_rekord }", "did you mean `read_record`", 4),
        ("{ type: http, name: weather }", "can't be defined here", 4),
        ("[read_record]", "", 4),
    ] {
        let file = format!("---\ntools:\n  - list_models\n  - {entry}\n---\nNo.\n");
        let (status, body) = saved(&admin, "agents/wrong.md", &file).await;
        assert_eq!(status, 422, "{entry}: {body}");
        let problem = &body["errors"][0];
        assert!(text(problem, "/message").contains(why), "{entry}: {body}");
        assert_eq!(problem["path"], "agents/wrong.md");
        assert_eq!(problem["line"], line, "{entry}: {body}");
    }
}

#[tokio::test]
async fn an_agent_may_be_yaml_alone() {
    let yaml = "title: Looker\ninstructions: Look into what is there.\ntools:\n  - list_models\n";
    let (app, admin) = with(&[("agents/looker.yaml", yaml)]).await;
    app.model
        .script(vec![Rule::on_user("look", Reply::text("I looked."))]);
    assert_eq!(offered(&admin, "looker").await, ["list_models"]);
    admin.chat("looker", &conversation(), "look").await.unwrap();
    let request = app.model.requests().pop().unwrap();
    let system = text(&request, "/messages/0/content").to_owned();
    assert!(system.contains("Look into what is there."), "{system}");
    let (status, body) = saved(&admin, "agents/looker.md", OTHER).await;
    assert_eq!(status, 422, "{body}");
    assert!(
        body.to_string()
            .contains("another file of the agent `looker`")
    );
}
