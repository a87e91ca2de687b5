//! Two servers on one PostgreSQL database: what is changed at one of them is in force at the other.

use reqwest::Method;
use serde_json::{Value, json};
use toolcrib_data::testing;
use toolcrib_testkit::{Reply, Rule, TestClient};

use crate::support::{conversation, text, told, two};

/// Calls again and again until a call ends in that way; it takes a moment to hear of a change.
async fn until(client: &TestClient, tool: &str, arguments: &Value, status: &str) -> Value {
    loop {
        let call = client.attempt(tool, arguments).await.unwrap();
        if text(&call, "/status") == status {
            return call;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_tool_that_is_switched_off_at_one_server_is_off_at_the_other() {
    let (first, second) = two().await;
    let admin = first.client("admin@shop.test").await.unwrap();
    let other = second.manager().await.unwrap();
    let read = json!({"model": "order", "id": 1});
    other.call("read_record", &read).await.unwrap();
    let off = json!({"enabled": false});
    admin.switch("read_record", &off).await.unwrap();
    let refused = until(&other, "read_record", &read, "refused").await;
    assert!(
        text(&refused, "/error").contains("no tool named"),
        "{refused}"
    );
    admin
        .switch("read_record", &json!({"enabled": true}))
        .await
        .unwrap();
    until(&other, "read_record", &read, "succeeded").await;
}

#[tokio::test]
async fn rights_and_data_models_that_are_saved_at_one_server_hold_at_the_other() {
    let (first, second) = two().await;
    let admin = first.client("admin@shop.test").await.unwrap();
    let other = second.sales().await.unwrap();
    let save = async |path: &str, definition: Value| {
        let path = format!("/api/workspace/documents/{path}");
        let request = admin
            .raw(Method::PUT, &path)
            .json(&json!({"definition": definition}));
        let response = request.header("if-none-match", "*").send().await.unwrap();
        assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
    };
    let book = json!({"name": "book", "fields": {"title": {"type": "string", "required": true}}});
    save("models/book.yaml", book).await;
    let grants = json!({"role": "sales", "grants": [{"models": ["book"], "operations": "*"}]});
    save("permissions/sales-books.yaml", grants).await;
    let create = json!({"model": "book", "records": [{"title": "On tools"}]});
    until(&other, "create_record", &create, "succeeded").await;
}

#[tokio::test]
async fn what_was_changed_while_nobody_listened_is_in_force_after_the_next_look() {
    let (first, second) = two().await;
    let other = second.manager().await.unwrap();
    let read = json!({"model": "order", "id": 1});
    other.call("read_record", &read).await.unwrap();
    // As a save of another server whose notice was lost.
    for sql in [
        "UPDATE tc_tools SET enabled = false, version = version + 1 WHERE name = 'read_record'",
        "INSERT INTO tc_tool_versions (org_id, name, version, digest, title, description, input_schema, config, saved_by, saved_at) \
         SELECT org_id, name, version + 1, digest, title, description, input_schema, config, 'somebody', 0 FROM tc_tool_versions \
         WHERE name = 'read_record'",
    ] {
        testing::tamper(first.runtime.store(), sql).await.unwrap();
    }
    second.runtime.look_once().await.unwrap();
    let refused = other.attempt("read_record", &read).await.unwrap();
    assert_eq!(text(&refused, "/status"), "refused", "{refused}");
}

#[tokio::test]
async fn a_stop_that_nobody_asked_for_stops_nothing() {
    let (first, second) = two().await;
    first.model.script(vec![Rule::always(Reply {
        text: "Noted.".to_owned(),
        chunk_delay_ms: 20,
        ..Reply::default()
    })]);
    let one = first.manager().await.unwrap();
    let talk = conversation();
    let meddling = async {
        while first.model.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        let sql = "SELECT pg_notify('toolcrib', 'stop ' || id) FROM tc_runs";
        testing::tamper(second.runtime.store(), sql).await.unwrap();
    };
    let (here, ()) = tokio::join!(one.chat("shop", &talk, "note it"), meddling);
    assert_eq!(told(&here.unwrap()), "Noted.");
}

#[tokio::test]
async fn what_is_in_the_folder_waits_until_the_folder_is_taken() {
    let (first, second) = two().await;
    let model = "name: shelf\nfields:\n  place: { type: string }\n";
    std::fs::write(second.dir().join("models/shelf.yaml"), model).unwrap();
    let admin = first.client("admin@shop.test").await.unwrap();
    let other = second.manager().await.unwrap();
    let read = json!({"model": "order", "id": 1});
    let off = json!({"enabled": false});
    admin.switch("read_record", &off).await.unwrap();
    until(&other, "read_record", &read, "refused").await;
    second.runtime.look_once().await.unwrap();
    let workspace = second.runtime.workspace();
    assert!(workspace.catalog.model("shelf").is_none());
    assert!(workspace.catalog.model("order").is_some());
}
