use bytes::Bytes;
use serde_json::{Value, json};

use super::Responses;
use crate::message::{AssistantMessage, AssistantPart, Message};
use crate::model::http::json::{ObjectWriter, joined, written};
use crate::model::http::replay::{is_object, own, replayable, sent_id, wire_id};
use crate::model::http::wire::{Encoding, Wire};
use crate::model::http::wire_name;
use crate::model::{Delivery, ModelRequest, ToolChoice};

/// Writes the request body. Nothing is kept by the provider: the whole transcript goes out each
/// time, with the model's thoughts as it enciphered them.
pub(super) fn encode(request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
    let mut body = ObjectWriter::new();
    body.field("model", encoding.model);
    if !request.system.is_empty() {
        body.field("instructions", &request.system);
    }
    body.list("input", input(request, encoding));
    if let Some(tools) = &encoding.tools.json {
        body.raw("tools", tools);
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => drop(body.field("tool_choice", "none")),
            ToolChoice::Required => drop(body.field("tool_choice", "required")),
            ToolChoice::Tool(name) => {
                let name = wire_name(name, encoding.key.longest_name);
                body.field("tool_choice", &json!({"type": "function", "name": name}));
            }
        }
        body.some("parallel_tool_calls", request.parallel_calls.as_ref());
    }
    body.some("temperature", request.temperature.as_ref());
    body.some("max_output_tokens", request.max_output_tokens.as_ref());
    if let (Some(output), Some(schema)) = (&request.output, encoding.output) {
        body.field(
            "text",
            &json!({"format": {
                "type": "json_schema", "name": output.name,
                "schema": schema.schema(), "strict": schema.is_strict(),
            }}),
        );
    }
    body.field("store", &false);
    if encoding.capabilities.reasoning {
        body.raw("include", br#"["reasoning.encrypted_content"]"#);
    }
    if request.delivery == Delivery::Streamed {
        body.field("stream", &true);
    }
    body.finish()
}

fn input(request: &ModelRequest, encoding: &Encoding<'_>) -> impl Iterator<Item = Bytes> {
    let mut asked: Option<&AssistantMessage> = None;
    let entries = request.messages.entries().map(move |entry| {
        if let Message::Assistant(answer) = entry.message() {
            asked = Some(answer);
        }
        entry.written(encoding.key, || match entry.message() {
            Message::User { text } => written(&json!({"role": "user", "content": text})),
            Message::Assistant(answer) => assistant(answer, encoding.key.longest_name),
            Message::Tool(result) => written(&json!({
                "type": "function_call_output",
                "call_id": wire_id(asked, result.call, takes_id),
                "output": result.content,
            })),
        })
    });
    // An answer with nothing to send is written as nothing.
    entries.filter(|entry| !entry.is_empty())
}

/// An answer goes back item by item as it came, or not at all: a thought without what followed it
/// is refused, and so is a call without the thought that led to it.
fn assistant(answer: &AssistantMessage, longest_name: usize) -> Bytes {
    match items(answer) {
        Some(items) => joined(items.into_iter().map(written)),
        None => joined(rewritten(answer, longest_name)),
    }
}

/// The items of an answer as they came, if each of its parts still has its own.
fn items(answer: &AssistantMessage) -> Option<Vec<&Value>> {
    let mut items = answer
        .parts
        .iter()
        .map(|part| match part {
            AssistantPart::Text { provider, .. } | AssistantPart::Reasoning { provider, .. } => {
                own(provider.as_ref(), Responses::NAME).filter(|item| can_be_read(item))
            }
            AssistantPart::ToolCall(call) => {
                let item = own(call.provider.as_ref(), Responses::NAME)?;
                let arguments = item.get("arguments").and_then(Value::as_str);
                arguments.is_some_and(is_object).then_some(item)
            }
            AssistantPart::Refusal { .. } => None,
        })
        .collect::<Option<Vec<&Value>>>()?;
    // An answer that was cut off inside a thought has nothing after it.
    while items.last().is_some_and(|item| is_thought(item)) {
        items.pop();
    }
    Some(items)
}

fn is_thought(item: &Value) -> bool {
    item.get("type").and_then(Value::as_str) == Some("reasoning")
}

/// Whether the provider can read an item again: it keeps none, and finds no thought by its id.
fn can_be_read(item: &Value) -> bool {
    let has = |field: &str| match item.get(field) {
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::String(text)) => !text.is_empty(),
        _ => false,
    };
    !is_thought(item) || has("encrypted_content") || has("content")
}

/// The items of an answer written anew, from what is ours of it.
fn rewritten(answer: &AssistantMessage, longest_name: usize) -> impl Iterator<Item = Bytes> {
    answer.parts.iter().filter_map(move |part| match part {
        AssistantPart::Text { text, .. } | AssistantPart::Refusal { text } => {
            (!text.is_empty()).then(|| written(&json!({"role": "assistant", "content": text})))
        }
        AssistantPart::Reasoning { .. } => None,
        AssistantPart::ToolCall(call) => Some(written(&json!({
            "type": "function_call",
            "call_id": sent_id(call, takes_id),
            "name": wire_name(&call.name, longest_name),
            "arguments": replayable(&call.arguments),
        }))),
    })
}

/// Longer ids, which other providers give, are refused.
fn takes_id(id: &str) -> bool {
    id.len() <= 64
}
