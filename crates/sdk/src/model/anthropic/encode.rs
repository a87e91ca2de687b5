use std::borrow::Cow;

use bytes::Bytes;
use serde_json::{Value, json};

use super::Messages;
use crate::message::{AssistantMessage, AssistantPart, Message, ProviderBlob, ToolCall};
use crate::model::http::json::{ObjectWriter, joined, written};
use crate::model::http::replay::{arguments, own, sent_id, wire_id};
use crate::model::http::turns::turns;
use crate::model::http::wire::{Encoding, Wire};
use crate::model::http::wire_name;
use crate::model::{Delivery, ModelRequest, ToolChoice};

/// The longest answer where neither the request nor what is known of the model says one; the
/// provider wants to be told.
const LONGEST_ANSWER: u64 = 4096;

/// Writes the request body.
pub(super) fn encode(request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
    let mut body = ObjectWriter::new();
    body.field("model", encoding.model);
    let longest = request
        .max_output_tokens
        .map(u64::from)
        .or(encoding.capabilities.output_tokens)
        .unwrap_or(LONGEST_ANSWER);
    body.field("max_tokens", &longest);
    let system = system(request, encoding);
    if !system.is_empty() {
        body.field("system", &system);
    }
    body.list("messages", messages(request, encoding).into_iter());
    if let Some(tools) = &encoding.tools.json {
        body.raw("tools", tools);
        body.some("tool_choice", tool_choice(request, encoding).as_ref());
    }
    // The scale ends at 1 here.
    body.some(
        "temperature",
        request.temperature.map(|heat| heat.min(1.0)).as_ref(),
    );
    if let Some(output) = encoding.output.filter(|output| output.is_strict()) {
        body.field(
            "output_config",
            &json!({"format": {"type": "json_schema", "schema": output.schema()}}),
        );
    }
    if request.delivery == Delivery::Streamed {
        body.field("stream", &true);
    }
    body.finish()
}

/// A shape that the provider can't hold the model to is put in words.
fn system<'a>(request: &'a ModelRequest, encoding: &Encoding<'_>) -> Cow<'a, str> {
    match encoding.output.filter(|output| !output.is_strict()) {
        None => Cow::Borrowed(&request.system),
        Some(output) => Cow::Owned(
            format!(
                "{}\n\nThe final answer is JSON and nothing else, and fits this JSON Schema: {}",
                request.system,
                output.schema()
            )
            .trim_start()
            .to_owned(),
        ),
    }
}

fn tool_choice(request: &ModelRequest, encoding: &Encoding<'_>) -> Option<Value> {
    let one_at_a_time = request.parallel_calls == Some(false);
    let mut choice = match &request.tool_choice {
        ToolChoice::None => return Some(json!({"type": "none"})),
        ToolChoice::Auto if !one_at_a_time => return None,
        ToolChoice::Auto => json!({"type": "auto"}),
        ToolChoice::Required => json!({"type": "any"}),
        ToolChoice::Tool(name) => {
            json!({"type": "tool", "name": wire_name(name, encoding.key.longest_name)})
        }
    };
    if let (true, Some(fields)) = (one_at_a_time, choice.as_object_mut()) {
        fields.insert("disable_parallel_tool_use".to_owned(), true.into());
    }
    Some(choice)
}

/// Roles alternate: results stand in one turn, with what the person says right after them.
fn messages(request: &ModelRequest, encoding: &Encoding<'_>) -> Vec<Bytes> {
    let mut asked: Option<&AssistantMessage> = None;
    let count = request.messages.len();
    let pieces = request.messages.entries().enumerate().map(|(at, entry)| {
        match entry.message() {
            Message::User { text } => {
                let piece = entry.written(encoding.key, || text_block(text));
                (Role::User, piece)
            }
            Message::Assistant(answer) => {
                asked = Some(answer);
                let write = |shows| answer_blocks(answer, encoding.key.longest_name, shows);
                let piece = if at + 1 == count {
                    // Once something follows it, it goes out without its thoughts: not kept.
                    write(Thoughts::Shown)
                } else {
                    entry.written(encoding.key, || write(Thoughts::WithCalls))
                };
                (Role::Assistant, piece)
            }
            Message::Tool(result) => {
                let piece = entry.written(encoding.key, || {
                    let id = wire_id(asked, result.call, takes_id);
                    result_block(&id, &result.content, result.is_error)
                });
                (Role::User, piece)
            }
        }
    });
    turns(pieces, |role| match role {
        Role::User => r#"{"role":"user","content":["#,
        Role::Assistant => r#"{"role":"assistant","content":["#,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
}

/// Which thoughts go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thoughts {
    /// Those of an answer that called tools; the provider wants them with the calls.
    WithCalls,
    /// All, since the answer is to go on.
    Shown,
}

fn answer_blocks(answer: &AssistantMessage, longest_name: usize, thoughts: Thoughts) -> Bytes {
    let shows_thoughts = thoughts == Thoughts::Shown || answer.tool_calls().next().is_some();
    joined(answer.parts.iter().filter_map(|part| {
        let block = match part {
            AssistantPart::Text { text, .. } | AssistantPart::Refusal { text } => text_block(text),
            AssistantPart::Reasoning { text, provider } => {
                thought_block(text, provider.as_ref()).filter(|_| shows_thoughts)?
            }
            AssistantPart::ToolCall(call) => call_block(call, longest_name),
        };
        (!block.is_empty()).then_some(block)
    }))
}

/// Text; nothing where it is blank, which is refused.
fn text_block(text: &str) -> Bytes {
    if text.trim().is_empty() {
        return Bytes::new();
    }
    written(&json!({"type": "text", "text": text}))
}

/// A thought with the signature that it came with; one without any is not taken back.
fn thought_block(text: &str, provider: Option<&ProviderBlob>) -> Option<Bytes> {
    let mut block = own(provider, Messages::NAME)?.clone();
    let fields = block.as_object_mut()?;
    if fields.get("type").and_then(Value::as_str) == Some("thinking") {
        fields.insert("thinking".to_owned(), text.into());
    }
    Some(written(&block))
}

fn call_block(call: &ToolCall, longest_name: usize) -> Bytes {
    written(&json!({
        "type": "tool_use",
        "id": sent_id(call, takes_id),
        "name": wire_name(&call.name, longest_name),
        "input": arguments(call),
    }))
}

fn result_block(id: &str, content: &str, is_error: bool) -> Bytes {
    let mut block = json!({"type": "tool_result", "tool_use_id": id});
    if let Some(fields) = block.as_object_mut() {
        // A result may say nothing, an error may not.
        let said = match (content.trim().is_empty(), is_error) {
            (true, true) => Some("The call failed."),
            (true, false) => None,
            (false, _) => Some(content),
        };
        fields.extend(said.map(|said| ("content".to_owned(), said.into())));
        if is_error {
            fields.insert("is_error".to_owned(), true.into());
        }
    }
    written(&block)
}

/// Ids of other characters, which other providers give, are refused.
fn takes_id(id: &str) -> bool {
    let taken = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !id.is_empty() && id.chars().all(taken)
}
