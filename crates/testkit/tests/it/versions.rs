//! Rows of tools: what an editor sets, with whom they are shared, and their versions.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

async fn row(client: &TestClient, tool: &str) -> Value {
    client.get(&format!("/api/tools/{tool}")).await.unwrap().1
}

async fn restore(
    client: &TestClient,
    tool: &str,
    version: i64,
    earlier: i64,
) -> (StatusCode, Value) {
    let path = format!("/api/tools/{tool}/versions/{earlier}/restore");
    let request = client.raw(Method::POST, &path);
    let response = request
        .header("if-match", format!("\"{version}\""))
        .send()
        .await
        .unwrap();
    (response.status(), response.json().await.unwrap())
}

#[tokio::test]
async fn each_save_keeps_who_when_and_what_and_any_can_be_restored() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let first = row(&admin, "update_record").await["version"]
        .as_i64()
        .unwrap();
    let settings = json!({"timeoutMs": 5000, "buttonLabel": "Change", "icon": "pencil", "approval": {"edit": true}});
    admin
        .switch(
            "update_record",
            &json!({"roles": ["manager"], "settings": settings}),
        )
        .await
        .unwrap();
    admin
        .switch("update_record", &json!({"enabled": false}))
        .await
        .unwrap();
    let (_, list) = admin
        .get("/api/tools/update_record/versions")
        .await
        .unwrap();
    let items = list["items"].as_array().unwrap();
    assert_eq!(items.len(), 3);
    assert_eq!(text(&items[0], "/savedBy/name"), "Ada Admin");
    assert_eq!(
        items[2]["savedBy"],
        Value::Null,
        "a release made the first one"
    );
    assert_eq!(
        items[0]["changes"],
        json!([{"path": "enabled", "before": true, "after": false}])
    );
    let paths: Vec<&str> = items[1]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| text(one, "/path"))
        .collect();
    assert_eq!(
        paths,
        [
            "roles",
            "settings.approval.edit",
            "settings.buttonLabel",
            "settings.icon",
            "settings.timeoutMs"
        ]
    );
    let (status, restored) = restore(&admin, "update_record", first + 2, first + 1).await;
    assert_eq!(status, StatusCode::OK, "{restored}");
    assert_eq!(
        (&restored["version"], &restored["enabled"]),
        (&json!(first + 3), &json!(true))
    );
    assert_eq!(restored["settings"]["timeoutMs"], json!(5000));
    assert_eq!(restored["roles"], json!(["manager"]));
    // Somebody saved in between; a version that never was.
    assert_eq!(
        restore(&admin, "update_record", first + 2, first).await.0,
        StatusCode::PRECONDITION_FAILED
    );
    assert_eq!(
        restore(&admin, "update_record", first + 3, 99).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    // They are for who may edit.
    let manager = app.manager().await.unwrap();
    let (status, _) = manager
        .get("/api/tools/update_record/versions")
        .await
        .unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(
        restore(&manager, "update_record", first + 3, first).await.0,
        StatusCode::FORBIDDEN
    );
    let (status, _) = manager.get("/api/tools/made_up/versions").await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
    // All of it is there after a restart, and the release does not overwrite it.
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let again = row(&admin, "update_record").await;
    assert_eq!(
        (&again["version"], &again["settings"]["icon"]),
        (&json!(first + 3), &json!("pencil"))
    );
}

#[tokio::test]
async fn a_tool_is_offered_to_those_it_is_shared_with() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (sam, mona) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let sue = app.client("sue@shop.test").await.unwrap();
    let sam_id = sam.get("/api/session").await.unwrap().1["user"]["id"].clone();
    let offered = async |client: &TestClient| {
        let call = client.call("list_models", &json!({})).await.unwrap();
        let listed = client.get("/api/tools").await.unwrap().1;
        let is_listed = listed["items"]
            .as_array()
            .unwrap()
            .iter()
            .any(|tool| text(tool, "/name") == "list_models");
        let runs = text(&call, "/status") == "succeeded";
        assert_eq!(
            runs, is_listed,
            "what is listed and what may run is the same: {call}"
        );
        if !runs {
            assert!(
                text(&call, "/error").contains("no tool")
                    || text(&call, "/error").contains("unknown"),
                "{call}"
            );
        }
        runs
    };
    let share = async |audience: Value| {
        admin
            .switch("list_models", &json!({"audience": audience}))
            .await
            .unwrap()
    };
    assert!(offered(&sam).await && offered(&sue).await && offered(&mona).await);
    let saved = share(json!({"users": [sam_id]})).await;
    assert_eq!(saved["audience"]["users"], json!([sam_id]));
    assert!(offered(&sam).await && !offered(&sue).await && !offered(&mona).await);
    share(json!({"roles": ["manager"]})).await;
    assert!(!offered(&sam).await && offered(&mona).await);
    // Unset it is for those who may edit it, and else the agent's.
    share(Value::Null).await;
    assert!(!offered(&sam).await && !offered(&mona).await);
    assert_eq!(
        text(
            &admin.call("list_models", &json!({})).await.unwrap(),
            "/status"
        ),
        "succeeded"
    );
    let (_, agent) = sam.get("/api/agents/shop").await.unwrap();
    let tools = agent["tools"].to_string();
    assert!(tools.contains("list_models"), "{tools}");
    share(json!({"everyone": true})).await;
    assert!(offered(&sam).await);
    // Roles that may call it narrow whom it is shared with.
    admin
        .switch("list_models", &json!({"roles": ["manager"]}))
        .await
        .unwrap();
    assert!(!offered(&sam).await && offered(&mona).await);
}

#[tokio::test]
async fn what_is_not_sound_is_not_saved() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let version = row(&admin, "update_record").await["version"]
        .as_i64()
        .unwrap();
    for (change, told) in [
        (json!({"settings": {"timeoutMs": 0}}), "timeoutMs"),
        (json!({"settings": {"timeoutMs": 600_001}}), "timeoutMs"),
        (json!({"settings": {"icon": " "}}), "icon"),
        (
            json!({"settings": {"buttonLabel": "x".repeat(81)}}),
            "buttonLabel",
        ),
        (
            json!({"settings": {"outputSchema": {"type": "objekt"}}}),
            "outputSchema",
        ),
        (
            json!({"settings": {"approval": {"lifetimeSeconds": 0}}}),
            "lifetimeSeconds",
        ),
        (
            json!({"settings": {"approval": {"approverRoles": [""]}}}),
            "role",
        ),
        (json!({"settings": {"colour": "red"}}), "colour"),
        (json!({"settings": {"icon": "a\u{202e}b"}}), "icon"),
        (
            json!({"settings": {"outputSchema": {"title": "x".repeat(70_000)}}}),
            "outputSchema",
        ),
        (json!({"settings": []}), ""),
        (json!({"settings": {"approval": [["manager"]]}}), "approval"),
        (json!({"audience": [true, [], []]}), ""),
        (json!({"audience": {"users": ["sam"]}}), "users"),
        (json!({"audience": {"roles": [""]}}), "role"),
        (json!({"roles": [" "]}), "role"),
    ] {
        let (status, problem) = admin
            .patch("/api/tools/update_record", version, &change)
            .await
            .unwrap();
        assert_eq!(
            status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{change}: {problem}"
        );
        assert!(
            text(&problem, "/detail").contains(told),
            "{change}: {problem}"
        );
    }
    assert_eq!(
        row(&admin, "update_record").await["version"],
        json!(version)
    );
}
