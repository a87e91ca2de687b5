//! The transcript in words of our own; what only a provider understands stands beside it, tagged.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::CallId;

/// One entry of a transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// What a person wrote.
    User {
        /// The text.
        text: String,
    },
    /// What a language model answered.
    Assistant(AssistantMessage),
    /// What a tool answered.
    Tool(ToolMessage),
}

/// One answer of a language model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// Text, reasoning and calls, in the order given.
    pub parts: Vec<AssistantPart>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AssistantPart {
    /// Text for the reader.
    Text {
        /// The text.
        text: String,
    },
    /// What the model thought before it answered.
    Reasoning {
        /// The readable thought; may be empty where only the provider can read it.
        text: String,
        /// What has to go back to the provider unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<ProviderBlob>,
    },
    /// A request to run a tool.
    ToolCall(ToolCall),
}

/// Data that only the provider that made it can read; sent back to it unchanged, and to no other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProviderBlob {
    /// Which provider's wire format it belongs to.
    pub provider: String,
    /// The data.
    pub data: Value,
}

/// A model's request to run a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Our id of the call.
    pub id: CallId,
    /// The provider's id of the call, if it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// The tool that is asked for.
    pub name: String,
    /// The arguments as the model wrote them: usually JSON, not always.
    pub arguments: String,
    /// Set when the output limit ended the answer inside this call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The one result of a call, as the model reads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolMessage {
    /// The call that this answers.
    pub call: CallId,
    /// The tool that was asked for.
    pub name: String,
    /// The text that the model reads.
    pub content: String,
    /// Whether the call did not do what was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl AssistantMessage {
    /// The calls that are asked for, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            AssistantPart::ToolCall(call) => Some(call),
            AssistantPart::Text { .. } | AssistantPart::Reasoning { .. } => None,
        })
    }

    /// The text for the reader, joined.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .filter_map(|part| match part {
                AssistantPart::Text { text } => Some(text.as_str()),
                AssistantPart::Reasoning { .. } | AssistantPart::ToolCall(_) => None,
            })
            .collect()
    }
}

/// A transcript in which calls and results do not match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    /// A call has no result before the next message.
    #[error("call {0} has no result")]
    MissingResult(CallId),
    /// A result answers no call of the message before it, or answers one again.
    #[error("result for {0} answers no open call")]
    StrayResult(CallId),
}

/// Checks that each call has exactly one result, right after the message that asked for it.
///
/// # Errors
/// The first mismatch.
pub fn check_pairs(messages: &[Message]) -> Result<(), PairingError> {
    let mut open: Vec<CallId> = Vec::new();
    for message in messages {
        match message {
            Message::Tool(result) => match open.iter().position(|id| *id == result.call) {
                Some(at) => drop(open.remove(at)),
                None => return Err(PairingError::StrayResult(result.call)),
            },
            Message::User { .. } | Message::Assistant(_) => {
                if let Some(id) = open.first() {
                    return Err(PairingError::MissingResult(*id));
                }
                if let Message::Assistant(answer) = message {
                    open.extend(answer.tool_calls().map(|call| call.id));
                }
            }
        }
    }
    open.first()
        .map_or(Ok(()), |id| Err(PairingError::MissingResult(*id)))
}
