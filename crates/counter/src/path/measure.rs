//! Stage 12, measure: what a model gets of a result. Too large a one is stored as a handle.

use rand::RngCore as _;
use serde_json::{Value, json};
use toolcrib::ToolResult;
use toolcrib::agent::step::{CallText, ending_text};
use toolcrib::state::CallState;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::handles::HandleRow;
use toolcrib_data::records::{Form, MARKER, Recipient, Tags, Withheld};

use super::close::Ending;
use super::passage::Passage;
use super::run::Broken;

/// How much of a large result the model sees at once, in characters.
const PREVIEW: usize = 2000;

pub(super) fn measure(passage: &Passage<'_>, result: Result<ToolResult, Broken>) -> Ending {
    match result {
        Ok(ToolResult::Success { output, shown }) => success(passage, &output, shown),
        Ok(ToolResult::Failure { message }) => Ending::failed_by_tool(message),
        Ok(ToolResult::Abort { reason }) => Ending::failed_by_tool(reason),
        Ok(
            ToolResult::NeedsApproval { .. }
            | ToolResult::NeedsAnswer { .. }
            | ToolResult::Consult { .. }
            | ToolResult::ClientSide,
        ) => Ending::failed("The tool asked for something that is not available here.".to_owned()),
        Err(Broken::Cancelled) => Ending::cancelled(),
        Err(broken) => Ending::failed(broken.text().to_owned()),
    }
}

fn success(passage: &Passage<'_>, output: &Value, shown: bool) -> Ending {
    let text = ToolResult::output_text(output);
    let options = &passage.counter.options;
    if shown || text.len() <= options.largest_result {
        return Ending::succeeded(stored(output), shown, None);
    }
    let now = passage.counter.now();
    let lifetime = i64::try_from(options.handle_lifetime.as_micros()).unwrap_or(i64::MAX / 2);
    let mut bits = [0_u8; 16];
    rand::rng().fill_bytes(&mut bits);
    let handle = HandleRow {
        id: hex::encode(bits),
        owner: passage.row.asker,
        conversation: passage.row.conversation,
        call: passage.row.id,
        content: output.to_string(),
        created_at: now,
        expires_at: now.saturating_add(lifetime),
    };
    let preview = json!({
        "handle": format!("handle://{}", handle.id),
        "bytes": text.len(),
        "shape": shape(output),
        "preview": text.chars().take(PREVIEW).collect::<String>(),
    });
    Ending::succeeded(stored(&preview), false, Some(handle))
}

/// Results are stored typed, so that a reader knows what it reads.
pub(super) fn stored(output: &Value) -> String {
    // Not by `json!`, which would copy all of it first.
    format!(r#"{{"type":"json","output":{output}}}"#)
}

/// The output in a stored result.
pub(crate) fn stored_output(result: &str) -> Value {
    let mut value: Value = serde_json::from_str(result).unwrap_or_default();
    value.get_mut("output").map(Value::take).unwrap_or_default()
}

/// What a value is made of, in a few words.
fn shape(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {} items", items.len()),
        Value::Object(map) => {
            let parts = map.iter().take(12).map(|(key, inner)| match inner {
                Value::Array(items) => format!("{key} ({} items)", items.len()),
                _ => key.clone(),
            });
            format!("an object with {}", parts.collect::<Vec<_>>().join(", "))
        }
        Value::String(_) => "text".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => "a single value".to_owned(),
    }
}

/// How a call ended, in words, with everything in it: for those who may see it all.
#[must_use]
pub fn stored_text(row: &CallRow) -> CallText {
    match stored_outcome(row) {
        Ok(output) => success_text(&output),
        Err(error) => error,
    }
}

/// What a reader may receive of a call that has ended, and what was kept from it.
#[must_use]
pub fn model_text(row: &CallRow, reader: &Recipient<'_>) -> (CallText, Withheld) {
    let tags = row.tags.as_deref();
    let tags: Option<Tags> = tags.and_then(|tags| serde_json::from_str(tags).ok());
    let error = match stored_outcome(row) {
        Ok(output) => {
            let form = match row.handle {
                Some(_) => Form::Preview,
                None => Form::Whole,
            };
            let (output, withheld) = reader.output(output, tags.as_ref(), form);
            return (success_text(&output), withheld);
        }
        Err(error) => error,
    };
    // Other endings are told in words of the counter, or of a person who decided.
    if !matches!(row.state, CallState::Failed | CallState::Refused) {
        return (error, Withheld::default());
    }
    match reader.words(tags.as_ref()) {
        Ok(()) => (error, Withheld::default()),
        Err(withheld) => {
            let content = format!("Not done. Why is not for you to read: {MARKER}");
            (CallText { content, ..error }, withheld)
        }
    }
}

/// The output of a call that succeeded; else what is told of it.
fn stored_outcome(row: &CallRow) -> Result<Value, CallText> {
    if row.state == CallState::Succeeded {
        return Ok(row.result.as_deref().map(stored_output).unwrap_or_default());
    }
    let content = row
        .error
        .clone()
        .unwrap_or_else(|| ending_text(row.state).to_owned());
    let content = if content.is_empty() {
        "No result: the run ended before this call did.".to_owned()
    } else {
        content
    };
    Err(CallText {
        content,
        is_error: true,
    })
}

fn success_text(output: &Value) -> CallText {
    CallText {
        content: ToolResult::output_text(output),
        is_error: false,
    }
}
