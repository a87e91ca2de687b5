use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::message::{AssistantMessage, AssistantPart, Message, ToolCall};
use crate::model::{ModelRequest, ToolChoice};

/// Writes the request body. Streaming is always asked for; a server that does not stream
/// answers whole, and is read whole.
pub(super) fn encode(request: &ModelRequest, model: &str) -> Result<Bytes, serde_json::Error> {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), messages(request));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
            }})
        });
        body.insert("tools".into(), tools.collect());
        let choice = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(json!("none")),
            ToolChoice::Required => Some(json!("required")),
            ToolChoice::Tool(name) => Some(json!({"type": "function", "function": {"name": name}})),
        };
        body.extend(choice.map(|choice| ("tool_choice".to_owned(), choice)));
    }
    body.extend(
        request
            .temperature
            .map(|value| ("temperature".to_owned(), json!(value))),
    );
    body.extend(
        request
            .max_output_tokens
            .map(|value| ("max_tokens".to_owned(), json!(value))),
    );
    body.insert("stream".into(), true.into());
    body.insert("stream_options".into(), json!({"include_usage": true}));
    serde_json::to_vec(&body).map(Bytes::from)
}

fn messages(request: &ModelRequest) -> Value {
    let mut list = Vec::with_capacity(request.messages.len() + 1);
    if !request.system.is_empty() {
        list.push(json!({"role": "system", "content": request.system}));
    }
    let mut wire_ids = Vec::new();
    for message in &request.messages {
        match message {
            Message::User { text } => list.push(json!({"role": "user", "content": text})),
            Message::Assistant(answer) => {
                wire_ids.extend(answer.tool_calls().map(|call| (call.id, wire_id(call))));
                list.push(assistant(answer));
            }
            Message::Tool(result) => {
                let id = wire_ids
                    .iter()
                    .rev()
                    .find(|(id, _)| *id == result.call)
                    .map(|(_, wire)| wire.clone());
                let id = id.unwrap_or_else(|| result.call.to_string());
                list.push(json!({"role": "tool", "tool_call_id": id, "content": result.content}));
            }
        }
    }
    Value::Array(list)
}

fn assistant(answer: &AssistantMessage) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), "assistant".into());
    let text = answer.text();
    message.insert(
        "content".into(),
        if text.is_empty() {
            Value::Null
        } else {
            text.into()
        },
    );
    let calls: Vec<Value> = answer
        .tool_calls()
        .map(|call| {
            json!({"id": wire_id(call), "type": "function",
                   "function": {"name": call.name, "arguments": replayable(&call.arguments)}})
        })
        .collect();
    if calls.is_empty() {
        return Value::Object(message);
    }
    message.insert("tool_calls".into(), calls.into());
    // Reasoning goes back in the field that it came in, on turns that called tools.
    for part in &answer.parts {
        let AssistantPart::Reasoning {
            text,
            provider: Some(blob),
        } = part
        else {
            continue;
        };
        if blob.provider != super::PROVIDER {
            continue;
        }
        for (field, value) in blob.data.as_object().into_iter().flatten() {
            let value = if value.is_null() {
                text.clone().into()
            } else {
                value.clone()
            };
            message.insert(field.clone(), value);
        }
    }
    Value::Object(message)
}

fn wire_id(call: &ToolCall) -> String {
    call.provider_id
        .clone()
        .unwrap_or_else(|| call.id.to_string())
}

/// Broken arguments go back as an empty object: many servers refuse a transcript that holds
/// arguments which are not JSON, and would do so for ever.
fn replayable(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(_)) => arguments.to_owned(),
        _ => "{}".to_owned(),
    }
}
