use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::{GenerateContent, short_name};
use crate::id::CallId;
use crate::message::{
    AssistantMessage, AssistantPart, Message, ProviderBlob, ToolCall, ToolMessage,
};
use crate::model::http::json::{ObjectWriter, joined, written};
use crate::model::http::replay::{arguments, own};
use crate::model::http::turns::turns;
use crate::model::http::wire::{Encoding, Wire};
use crate::model::http::wire_name;
use crate::model::{ModelRequest, ToolChoice};

/// What the provider takes instead of the signature of a call that it never made.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// Writes the request body; whether it is to stream stands in the path.
pub(super) fn encode(request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
    let mut body = ObjectWriter::new();
    if !request.system.is_empty() {
        body.field(
            "systemInstruction",
            &json!({"parts": [{"text": request.system}]}),
        );
    }
    body.list("contents", contents(request, encoding).into_iter());
    if let Some(tools) = &encoding.tools.json {
        let list = [br#"[{"functionDeclarations":"#, tools.as_ref(), b"}]"].concat();
        body.raw("tools", &list);
        if let Some(config) = calling(&request.tool_choice, encoding) {
            body.field("toolConfig", &json!({"functionCallingConfig": config}));
        }
    }
    let config = generation(request, encoding);
    if !config.is_empty() {
        body.field("generationConfig", &config);
    }
    body.finish()
}

fn calling(choice: &ToolChoice, encoding: &Encoding<'_>) -> Option<Value> {
    Some(match choice {
        ToolChoice::Auto => return None,
        ToolChoice::None => json!({"mode": "NONE"}),
        ToolChoice::Required => json!({"mode": "ANY"}),
        ToolChoice::Tool(name) => {
            let name = wire_name(name, encoding.key.longest_name);
            json!({"mode": "ANY", "allowedFunctionNames": [name]})
        }
    })
}

fn generation(request: &ModelRequest, encoding: &Encoding<'_>) -> Map<String, Value> {
    let mut config = Map::new();
    let mut say = |name: &str, value: Option<Value>| {
        config.extend(value.map(|value| (name.to_owned(), value)));
    };
    say("temperature", request.temperature.map(Value::from));
    say(
        "maxOutputTokens",
        request.max_output_tokens.map(Value::from),
    );
    if let Some(output) = encoding.output {
        say("responseMimeType", Some("application/json".into()));
        say("responseJsonSchema", Some(output.schema().clone()));
    }
    config
}

/// What stands in one turn. Results do not share theirs with what the person says: there have to
/// be as many as there were calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    User,
    Model,
    Results,
}

fn contents(request: &ModelRequest, encoding: &Encoding<'_>) -> Vec<Bytes> {
    let longest_name = encoding.key.longest_name;
    // Models from the third generation on refuse a call without a signature; older ones never
    // ask for one, and need not read what stands in its place.
    let model = short_name(encoding.model);
    let wants_signatures = !["gemini-1", "gemini-2"]
        .iter()
        .any(|old| model.starts_with(old));
    let mut asked: Option<&AssistantMessage> = None;
    let pieces = request
        .messages
        .entries()
        .map(|entry| match entry.message() {
            Message::User { text } => (Turn::User, entry.written(encoding.key, || text_part(text))),
            Message::Assistant(answer) => {
                asked = Some(answer);
                let piece = if wants_signatures && is_unsigned(answer) {
                    // Written for this model alone: the format is the same for the older ones.
                    model_parts(answer, longest_name, Some(UNSIGNED))
                } else {
                    entry.written(encoding.key, || model_parts(answer, longest_name, None))
                };
                (Turn::Model, piece)
            }
            Message::Tool(result) => {
                let piece =
                    entry.written(encoding.key, || result_part(asked, result, longest_name));
                (Turn::Results, piece)
            }
        });
    turns(pieces, |turn| match turn {
        Turn::User | Turn::Results => r#"{"role":"user","parts":["#,
        Turn::Model => r#"{"role":"model","parts":["#,
    })
}

/// Whether the first call of an answer came without a signature; those beside it never have one.
fn is_unsigned(answer: &AssistantMessage) -> bool {
    let first = answer.tool_calls().next();
    first.is_some_and(|call| signature(call.provider.as_ref()).is_none())
}

fn signature(blob: Option<&ProviderBlob>) -> Option<&Value> {
    own(blob, GenerateContent::NAME)?.get("thoughtSignature")
}

fn model_parts(answer: &AssistantMessage, longest_name: usize, mut instead: Option<&str>) -> Bytes {
    joined(answer.parts.iter().filter_map(|part| {
        let (mut written_part, signature) = match part {
            AssistantPart::Text { text, provider } => {
                let signature = signature(provider.as_ref()).cloned();
                if text.is_empty() && signature.is_none() {
                    return None;
                }
                (json!({"text": text}), signature)
            }
            AssistantPart::Refusal { text } if text.is_empty() => return None,
            AssistantPart::Refusal { text } => (json!({"text": text}), None),
            AssistantPart::Reasoning { text, provider } => {
                let signature = signature(provider.as_ref())?;
                (
                    json!({"text": text, "thought": true}),
                    Some(signature.clone()),
                )
            }
            AssistantPart::ToolCall(call) => {
                let own = signature(call.provider.as_ref()).cloned();
                let instead = instead.take().map(Value::from);
                (call_part(call, longest_name), own.or(instead))
            }
        };
        if let Some(fields) = written_part.as_object_mut() {
            fields.extend(signature.map(|signature| ("thoughtSignature".to_owned(), signature)));
        }
        Some(written(&written_part))
    }))
}

/// Text; nothing where there is none, which is refused.
fn text_part(text: &str) -> Bytes {
    if text.is_empty() {
        return Bytes::new();
    }
    written(&json!({"text": text}))
}

fn call_part(call: &ToolCall, longest_name: usize) -> Value {
    let function = with_id(
        call.provider_id.as_deref(),
        json!({
            "name": wire_name(&call.name, longest_name),
            "args": arguments(call),
        }),
    );
    json!({"functionCall": function})
}

fn result_part(
    asked: Option<&AssistantMessage>,
    result: &ToolMessage,
    longest_name: usize,
) -> Bytes {
    let field = if result.is_error { "error" } else { "result" };
    let response = with_id(
        provider_id(asked, result.call),
        json!({
            "name": wire_name(&result.name, longest_name),
            "response": {field: result.content},
        }),
    );
    written(&json!({"functionResponse": response}))
}

/// The id that the provider gave, on the call and on its result alike. Where it gave none, it
/// tells them apart by their order.
fn with_id(id: Option<&str>, mut value: Value) -> Value {
    if let (Some(id), Some(fields)) = (id, value.as_object_mut()) {
        fields.insert("id".to_owned(), id.into());
    }
    value
}

fn provider_id(asked: Option<&AssistantMessage>, call: CallId) -> Option<&str> {
    let mut calls = asked?.tool_calls();
    calls.find(|asked| asked.id == call)?.provider_id.as_deref()
}
