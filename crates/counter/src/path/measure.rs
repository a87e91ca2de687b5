//! Stage 12, measure: what a model gets of a result. Too large a one is stored as a handle.

use rand::RngCore as _;
use serde_json::{Value, json};
use toolcrib::ToolResult;
use toolcrib::agent::step::{CallText, ending_text};
use toolcrib::state::CallState;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::handles::HandleRow;

use super::close::Ending;
use super::passage::Passage;
use super::run::Broken;

/// How much of a large result the model sees at once, in characters.
const PREVIEW: usize = 2000;

pub(super) fn measure(passage: &Passage<'_>, result: Result<ToolResult, Broken>) -> Ending {
    match result {
        Ok(ToolResult::Success { output, shown }) => success(passage, &output, shown),
        Ok(ToolResult::Failure { message }) => Ending::failed(message),
        Ok(ToolResult::Abort { reason }) => Ending::failed(reason),
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
fn stored(output: &Value) -> String {
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

/// What a model reads of a call that has ended.
#[must_use]
pub fn model_text(row: &CallRow) -> CallText {
    if row.state == CallState::Succeeded {
        let output = row.result.as_deref().map(stored_output).unwrap_or_default();
        return CallText {
            content: ToolResult::output_text(&output),
            is_error: false,
        };
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
    CallText {
        content,
        is_error: true,
    }
}
