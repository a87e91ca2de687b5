use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::CallId;

/// One entry of a transcript.
///
/// ```
/// use toolcrib::message::Message;
///
/// let message = Message::user("Which orders are late?");
/// assert_eq!(serde_json::to_value(&message)?["role"], "user");
/// # Ok::<(), serde_json::Error>(())
/// ```
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

impl Message {
    /// A message of a person.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }
}

/// One answer of a language model.
///
/// Shown at [`AssistantMessage::says`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// Text, reasoning and calls, in the order given.
    pub parts: Vec<AssistantPart>,
}

/// A part of an answer.
///
/// Part of an [`AssistantMessage`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AssistantPart {
    /// Text for the reader.
    Text {
        /// The text.
        text: String,
        /// What has to go back to the provider with it, unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<ProviderBlob>,
    },
    /// Why the model will not answer, for the reader.
    Refusal {
        /// Its words.
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
///
/// Stands on an [`AssistantPart`] or a [`ToolCall`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProviderBlob {
    /// Which provider's wire format it belongs to.
    pub provider: String,
    /// The data.
    pub data: Value,
}

/// A model's request to run a tool.
///
/// Shown at [`ToolCall::new`].
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
    /// What has to go back to the provider with the call, unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderBlob>,
}

impl ToolCall {
    /// A call with an id of its own, as a model would ask for it.
    ///
    /// ```
    /// let call = toolcrib::message::ToolCall::new("echo", r#"{"message":"ping"}"#);
    /// assert_eq!(call.name, "echo");
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            id: CallId::mint(),
            provider_id: None,
            name: name.into(),
            arguments: arguments.into(),
            cut: false,
            provider: None,
        }
    }
}

/// The one result of a call, as the model reads it.
///
/// Part of a [`Message`]; made by [`Request::append_tool_result`](crate::Request::append_tool_result).
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
    /// An answer of text alone.
    ///
    /// ```
    /// let answer = toolcrib::message::AssistantMessage::says("Three.");
    /// assert_eq!(answer.text(), "Three.");
    /// ```
    #[must_use]
    pub fn says(text: impl Into<String>) -> Self {
        Self {
            parts: vec![AssistantPart::Text {
                text: text.into(),
                provider: None,
            }],
        }
    }

    /// The calls that are asked for, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            AssistantPart::ToolCall(call) => Some(call),
            AssistantPart::Text { .. }
            | AssistantPart::Refusal { .. }
            | AssistantPart::Reasoning { .. } => None,
        })
    }

    /// The text for the reader, joined.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .filter_map(|part| match part {
                AssistantPart::Text { text, .. } => Some(text.as_str()),
                AssistantPart::Refusal { .. }
                | AssistantPart::Reasoning { .. }
                | AssistantPart::ToolCall(_) => None,
            })
            .collect()
    }

    /// Why the model will not answer, if it said so.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| match part {
            AssistantPart::Refusal { text } => Some(text.as_str()),
            AssistantPart::Text { .. }
            | AssistantPart::Reasoning { .. }
            | AssistantPart::ToolCall(_) => None,
        })
    }
}
