use serde_json::Value;
use toolcrib::id::ConversationId;
use toolcrib_testkit::{TestApp, TestAppOptions, postgres};

/// A new conversation's id.
pub(crate) fn conversation() -> String {
    ConversationId::mint().to_string()
}

/// A text inside a value.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The types of chunks, in order.
pub(crate) fn types(chunks: &[Value]) -> Vec<&str> {
    chunks.iter().map(|chunk| text(chunk, "/type")).collect()
}

/// The text that a stream told.
pub(crate) fn told(chunks: &[Value]) -> String {
    chunks
        .iter()
        .filter(|chunk| text(chunk, "/type") == "text-delta")
        .map(|chunk| text(chunk, "/delta"))
        .collect()
}

/// The messages of the model's newest request.
pub(crate) fn last_messages(requests: &[Value]) -> Vec<Value> {
    requests
        .last()
        .and_then(|request| request.get("messages")?.as_array().cloned())
        .unwrap_or_default()
}

/// Asserts that a transcript has exactly one result for each call id.
pub(crate) fn assert_paired(messages: &[Value]) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        let role = text(message, "/role");
        if role == "tool" {
            let id = text(message, "/tool_call_id");
            let at = open.iter().position(|known| *known == id);
            open.remove(at.unwrap_or_else(|| panic!("a stray result for {id}")));
            continue;
        }
        assert!(open.is_empty(), "calls without a result: {open:?}");
        let calls = message.get("tool_calls").and_then(Value::as_array);
        open = calls
            .into_iter()
            .flatten()
            .map(|call| text(call, "/id"))
            .collect();
    }
    assert!(open.is_empty(), "calls without a result: {open:?}");
}

/// Two servers on one PostgreSQL database.
pub(crate) async fn two() -> (TestApp, TestApp) {
    let options = TestAppOptions {
        database: Some(postgres().await.unwrap()),
        ..TestAppOptions::default()
    };
    let first = TestApp::start_with(options).await.unwrap();
    let second = first.beside().await.unwrap();
    (first, second)
}
