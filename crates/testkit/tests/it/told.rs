//! What the model, the person and the story of a call are told.

use serde_json::{Value, json};
use toolcrib::id::CallId;
use toolcrib_counter::CounterOptions;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::records::Tags;
use toolcrib_data::testing::tamper;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text};

fn note(note: &str) -> Value {
    json!({"model": "order", "id": 1, "values": {"note": note}})
}

/// A conversation in which an update of order 1 waits, and its approval.
async fn waiting(app: &TestApp, client: &TestClient) -> (String, Value) {
    app.model.script(vec![
        Rule::on_user("note", Reply::call("update_record", note("by the agent"))),
        Rule::after("update_record", Reply::text("I see.")),
    ]);
    let talk = conversation();
    client.chat("shop", &talk, "note it").await.unwrap();
    let mut pending = client.pending().await.unwrap();
    (talk, pending.remove(0))
}

/// What the model was told last.
fn heard(app: &TestApp) -> String {
    let messages = last_messages(&app.model.requests());
    assert_paired(&messages);
    text(messages.last().unwrap(), "/content").to_owned()
}

/// The newest call of a tool, as it is stored.
async fn stored(app: &TestApp, tool: &str) -> CallRow {
    let filter = CallFilter {
        tool: Some(tool.to_owned()),
        ..CallFilter::default()
    };
    let page = Page {
        limit: 1,
        after: None,
    };
    let mut snapshot = app.runtime.store().snapshot().await.unwrap();
    let found = calls::list(&mut snapshot, app.runtime.org(), &filter, &page);
    found.await.unwrap().remove(0)
}

#[tokio::test]
async fn the_model_is_told_why_a_call_was_stale() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (talk, approval) = waiting(&app, &client).await;
    let other = client
        .call("update_record", &note("in between"))
        .await
        .unwrap();
    let other = client.decide(&other["approval"], "approve", None).await;
    assert_eq!(other.unwrap().0, 200);
    client.decide(&approval, "approve", None).await.unwrap();
    client.settled(&talk).await.unwrap();
    let heard = heard(&app);
    assert!(heard.contains("changed since"), "{heard}");
}

#[tokio::test]
async fn model_and_person_are_told_that_what_a_crash_cut_off_may_have_happened() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (talk, approval) = waiting(&app, &client).await;
    // As if it had been handed to something outside when the server died.
    let id = text(&approval, "/callId");
    for sql in [
        format!("UPDATE tc_calls SET state = 'running', waiting_for = NULL WHERE id = '{id}'"),
        "UPDATE tc_runs SET state = 'active'".to_owned(),
    ] {
        tamper(app.runtime.store(), &sql).await.unwrap();
    }
    let app = app.restart().await.unwrap();
    let client = app.manager().await.unwrap();
    app.runtime.look_once().await.unwrap();
    let settled = client.settled(&talk).await.unwrap();
    assert!(heard(&app).contains("may have happened"), "{}", heard(&app));
    let parts = settled.pointer("/messages/1/parts").unwrap();
    assert!(parts.to_string().contains("may have happened"), "{parts}");
    let (_, call) = client.get(&format!("/api/calls/{id}")).await.unwrap();
    assert_eq!(text(&call, "/status"), "unknown");
    assert!(
        text(&call, "/error").contains("may have happened"),
        "{call}"
    );
}

#[tokio::test]
async fn of_a_large_result_the_model_gets_preview_shape_size_and_handle() {
    let counter = CounterOptions {
        largest_result: 4096,
        ..CounterOptions::default()
    };
    let options = TestAppOptions {
        counter,
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let ids: Vec<i64> = (1..=100).collect();
    let read = json!({"model": "order_line", "ids": ids});
    app.model.script(vec![
        Rule::on_user("lines", Reply::call("read_record", read)),
        Rule::after("read_record", Reply::text("Many.")),
    ]);
    let client = app.manager().await.unwrap();
    client.chat("shop", &conversation(), "lines").await.unwrap();
    let told: Value = serde_json::from_str(&heard(&app)).unwrap();
    let handle = text(&told, "/handle").strip_prefix("handle://").unwrap();
    let path = format!("/api/handles/{handle}");
    let whole = client
        .send(reqwest::Method::GET, &path, None)
        .await
        .unwrap();
    let whole = whole.text().await.unwrap();
    assert_eq!(told["bytes"], json!(whole.len()));
    let preview: String = whole.chars().take(2000).collect();
    assert_eq!(text(&told, "/preview"), preview);
    let shape = text(&told, "/shape");
    assert!(shape.contains("records (100 items)"), "{shape}");
    let keys: Vec<&String> = told.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 4, "{keys:?}");
}

#[tokio::test]
async fn the_story_of_a_call_says_how_it_came() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user("go", Reply::call("list_models", json!({}))),
        Rule::after("list_models", Reply::text("Five.")),
    ]);
    let admin = app.client("admin@shop.test").await.unwrap();
    admin.chat("shop", &conversation(), "go").await.unwrap();
    let by_run = stored(&app, "list_models").await;
    let by_request = admin.call("current_user", &json!({})).await.unwrap();
    let at_terminal = admin
        .raw(reqwest::Method::POST, "/api/tools/list_models/call")
        .header("x-toolcrib-cli", "1")
        .json(&json!({}))
        .send()
        .await
        .unwrap();
    let at_terminal: Value = at_terminal.json().await.unwrap();
    for (id, via) in [
        (by_run.id.to_string(), "chat"),
        (text(&by_request, "/id").to_owned(), "api"),
        (text(&at_terminal, "/call/id").to_owned(), "cli"),
    ] {
        let path = format!("/api/audit/calls/{id}");
        let (status, story) = admin.get(&path).await.unwrap();
        assert_eq!(status, 200, "{story}");
        assert_eq!(text(&story, "/via"), via, "{story}");
    }
}

#[tokio::test]
async fn the_id_of_a_call_is_ours_and_the_providers_stands_beside_it() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user("go", Reply::call("list_models", json!({}))),
        Rule::after("list_models", Reply::text("Five.")),
    ]);
    let client = app.manager().await.unwrap();
    client.chat("shop", &conversation(), "go").await.unwrap();
    let row = stored(&app, "list_models").await;
    let id = row.id.to_string();
    assert_eq!((id.len(), id.as_bytes()[14]), (36, b'7'), "{id}");
    // The model hears of it by its own id.
    let messages = last_messages(&app.model.requests());
    let theirs = text(messages.last().unwrap(), "/tool_call_id");
    assert_eq!(row.provider_call_id.as_deref(), Some(theirs));
    assert!(theirs.parse::<CallId>().is_err(), "{theirs}");
    let alone = client.call("current_user", &json!({})).await.unwrap();
    assert_eq!(text(&alone, "/id").as_bytes()[14], b'7');
    assert_eq!(stored(&app, "current_user").await.provider_call_id, None);
}

#[tokio::test]
async fn a_result_is_stored_typed_with_the_model_and_the_fields_that_it_holds() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let read = json!({"model": "order", "id": 1, "fields": ["number", "status"]});
    client.call("read_record", &read).await.unwrap();
    let row = stored(&app, "read_record").await;
    let result: Value = serde_json::from_str(row.result.as_deref().unwrap()).unwrap();
    assert_eq!(result["type"], json!("json"));
    assert_eq!(
        result.pointer("/output/records/0/number"),
        Some(&json!("SO-10001"))
    );
    let tags: Tags = serde_json::from_str(row.tags.as_deref().unwrap()).unwrap();
    let Tags::Records { model, fields, .. } = tags else {
        panic!("{tags:?}")
    };
    assert_eq!(model, "order");
    for field in ["number", "status"] {
        assert!(fields.contains(field), "{fields:?}");
    }
    assert!(!fields.contains("note"), "{fields:?}");
}

#[tokio::test]
async fn what_tools_have_to_say_stands_in_the_system_prompt_of_agents_that_have_them() {
    let app = TestApp::start().await.unwrap();
    for (agent, tool) in [("with", "show_data"), ("without", "list_models")] {
        let text = format!("---\ntools: [{tool}]\n---\nYou answer.\n");
        std::fs::write(app.dir().join(format!("agents/{agent}.md")), text).unwrap();
    }
    let app = app.restart().await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Yes."))]);
    let client = app.manager().await.unwrap();
    for (agent, is_told) in [("with", true), ("without", false)] {
        client.chat(agent, &conversation(), "hello").await.unwrap();
        let messages = last_messages(&app.model.requests());
        assert_eq!(text(&messages[0], "/role"), "system");
        let prompt = text(&messages[0], "/content");
        assert_eq!(
            prompt.contains("revenue_by_country"),
            is_told,
            "{agent}: {prompt}"
        );
    }
}
