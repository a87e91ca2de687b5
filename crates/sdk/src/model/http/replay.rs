//! How what a model said goes back to it.

#[cfg(any(feature = "anthropic", feature = "gemini"))]
use serde_json::Map;
use serde_json::Value;

#[cfg(any(feature = "openai", feature = "anthropic"))]
use crate::id::CallId;
#[cfg(any(feature = "openai", feature = "anthropic"))]
use crate::message::AssistantMessage;
use crate::message::{ProviderBlob, ToolCall};

#[cfg(any(feature = "openai", feature = "anthropic"))]
/// The id under which a call that was asked for in `asked` goes out.
pub(crate) fn wire_id(
    asked: Option<&AssistantMessage>,
    call: CallId,
    takes: impl Fn(&str) -> bool,
) -> String {
    asked
        .and_then(|answer| answer.tool_calls().find(|asked| asked.id == call))
        .map_or_else(|| call.to_string(), |call| sent_id(call, takes))
}

#[cfg(any(feature = "openai", feature = "anthropic"))]
/// The provider's id of a call; ours, where it gave none or where another provider gave one that
/// this one does not take.
pub(crate) fn sent_id(call: &ToolCall, takes: impl Fn(&str) -> bool) -> String {
    call.provider_id
        .clone()
        .filter(|id| takes(id))
        .unwrap_or_else(|| call.id.to_string())
}

#[cfg(feature = "openai")]
/// Broken arguments go back as an empty object: many servers refuse a transcript that holds
/// arguments which are not JSON, and would do so for ever.
pub(crate) fn replayable(arguments: &str) -> &str {
    if is_object(arguments) {
        arguments
    } else {
        "{}"
    }
}

#[cfg(feature = "openai")]
/// Whether arguments are a JSON object.
pub(crate) fn is_object(arguments: &str) -> bool {
    matches!(serde_json::from_str(arguments), Ok(Value::Object(_)))
}

#[cfg(any(feature = "anthropic", feature = "gemini"))]
/// The arguments as an object; empty where they are broken.
pub(crate) fn arguments(call: &ToolCall) -> Map<String, Value> {
    serde_json::from_str(&call.arguments).unwrap_or_default()
}

/// What this provider itself left with a part.
pub(crate) fn own<'a>(blob: Option<&'a ProviderBlob>, provider: &str) -> Option<&'a Value> {
    blob.filter(|blob| blob.provider == provider)
        .map(|blob| &blob.data)
}
