use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::message::{AssistantMessage, AssistantPart, Message, ProviderBlob, ToolCall};
use crate::model::http::json::{ObjectWriter, written};
use crate::model::http::replay::{self, replayable, sent_id, wire_id};
use crate::model::http::wire::{Encoding, Wire};
use crate::model::http::wire_name;
use crate::model::{Delivery, ModelRequest, ToolChoice};

/// Writes the request body. A server that does not stream answers whole, and is read whole.
pub(super) fn encode(request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
    let mut body = ObjectWriter::new();
    body.field("model", encoding.model);
    body.list("messages", messages(request, encoding));
    if let Some(tools) = &encoding.tools.json {
        body.raw("tools", tools);
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => drop(body.field("tool_choice", "none")),
            ToolChoice::Required => drop(body.field("tool_choice", "required")),
            ToolChoice::Tool(name) => {
                let name = wire_name(name, encoding.key.longest_name);
                body.field(
                    "tool_choice",
                    &json!({"type": "function", "function": {"name": name}}),
                );
            }
        }
        body.some("parallel_tool_calls", request.parallel_calls.as_ref());
    }
    body.some("temperature", request.temperature.as_ref());
    let limit = if encoding.capabilities.older_output_limit {
        "max_tokens"
    } else {
        "max_completion_tokens"
    };
    body.some(limit, request.max_output_tokens.as_ref());
    if let (Some(output), Some(schema)) = (&request.output, encoding.output) {
        body.field(
            "response_format",
            &json!({"type": "json_schema", "json_schema": {
                "name": output.name, "schema": schema.schema(), "strict": schema.is_strict(),
            }}),
        );
    }
    if request.delivery == Delivery::Streamed {
        body.field("stream", &true);
        body.raw("stream_options", br#"{"include_usage":true}"#);
    }
    body.finish()
}

fn messages(request: &ModelRequest, encoding: &Encoding<'_>) -> impl Iterator<Item = Bytes> {
    let system = (!request.system.is_empty())
        .then(|| written(&json!({"role": "system", "content": request.system})));
    let mut asked: Option<&AssistantMessage> = None;
    let transcript = request.messages.entries().map(move |entry| {
        if let Message::Assistant(answer) = entry.message() {
            asked = Some(answer);
        }
        entry.written(encoding.key, || {
            written(&match entry.message() {
                Message::User { text } => json!({"role": "user", "content": text}),
                Message::Assistant(answer) => assistant(answer, encoding.key.longest_name),
                Message::Tool(result) => json!({
                    "role": "tool",
                    "tool_call_id": wire_id(asked, result.call, any_id),
                    "content": result.content,
                }),
            })
        })
    });
    system.into_iter().chain(transcript)
}

fn assistant(answer: &AssistantMessage, longest_name: usize) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), "assistant".into());
    let text = answer.text();
    let calls: Vec<Value> = answer
        .tool_calls()
        .map(|written| call(written, longest_name))
        .collect();
    let content = if text.is_empty() && !calls.is_empty() {
        Value::Null
    } else {
        text.into()
    };
    message.insert("content".into(), content);
    if let Some(refusal) = answer.refusal() {
        message.insert("refusal".into(), refusal.into());
    }
    if calls.is_empty() {
        return Value::Object(message);
    }
    message.insert("tool_calls".into(), calls.into());
    reasoning(answer, &mut message);
    Value::Object(message)
}

/// Reasoning goes back in the field that it came in, on turns that called tools.
fn reasoning(answer: &AssistantMessage, message: &mut Map<String, Value>) {
    for part in &answer.parts {
        let AssistantPart::Reasoning { text, provider } = part else {
            continue;
        };
        for (field, value) in own(provider.as_ref()) {
            let value = if value.is_null() {
                text.clone().into()
            } else {
                value.clone()
            };
            message.insert(field.clone(), value);
        }
    }
}

fn call(call: &ToolCall, longest_name: usize) -> Value {
    let mut written = json!({
        "id": sent_id(call, any_id),
        "type": "function",
        "function": {
            "name": wire_name(&call.name, longest_name),
            "arguments": replayable(&call.arguments),
        },
    });
    if let Some(fields) = written.as_object_mut() {
        fields.extend(
            own(call.provider.as_ref()).map(|(field, value)| (field.clone(), value.clone())),
        );
    }
    written
}

/// The fields that this format itself left with a part.
fn own(blob: Option<&ProviderBlob>) -> impl Iterator<Item = (&String, &Value)> {
    replay::own(blob, super::Chat::NAME)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

/// Servers give ids of many shapes, and take them back.
fn any_id(_: &str) -> bool {
    true
}
