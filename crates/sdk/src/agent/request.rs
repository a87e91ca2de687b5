use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{AssistantMessage, AssistantPart, Message, ToolCall, ToolMessage, Transcript};
use crate::model::{OutputSchema, ToolChoice};
use crate::{Definitions, Tools, schema};

/// What to generate from.
///
/// ```
/// use toolcrib::Request;
///
/// let mut request = Request::from_prompt("Echo the word ping").with_system("Use the tools.");
/// request.ensure_messages_from_prompt();
/// assert_eq!(request.messages.len(), 1);
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// Instructions that stand before the transcript.
    pub system: String,
    /// What the person asks; becomes the first message where there is none yet.
    pub prompt: String,
    /// What was said so far.
    pub messages: Transcript,
    /// Whether the model may, must or must not call a tool; a forced choice holds for the first
    /// step alone, since it could never answer otherwise.
    pub tool_choice: ToolChoice,
    /// Whether the model may ask for several calls at once.
    pub parallel_calls: Option<bool>,
    /// How much the model may vary, 0 to 2.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_output_tokens: Option<u32>,
    /// How long to wait for each answer to begin, and for each next piece of it; unset takes the
    /// endpoint's own.
    pub timeout: Option<Duration>,
    /// The shape of the final answer.
    pub output: Option<OutputSchema>,
    /// The tools of a single model call; a run takes those of its set.
    #[serde(skip)]
    pub tools: Definitions,
}

impl Request {
    /// A request with one message of the user.
    #[must_use]
    pub fn from_prompt(prompt: impl Into<String>) -> Self {
        Self {
            prompt: prompt.into(),
            ..Self::default()
        }
    }

    /// A request that goes on from a transcript.
    #[must_use]
    pub fn from_messages(messages: impl Into<Transcript>) -> Self {
        Self {
            messages: messages.into(),
            ..Self::default()
        }
    }

    /// With these instructions.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = system.into();
        self
    }

    /// With a final answer of this shape: it is validated, and asked for once more where it does
    /// not fit.
    #[must_use]
    pub fn with_output(mut self, name: impl Into<String>, schema: impl Into<Value>) -> Self {
        self.output = Some(OutputSchema {
            name: name.into(),
            schema: schema.into(),
        });
        self
    }

    /// With a final answer of the shape of a type.
    #[must_use]
    pub fn with_output_of<T: schemars::JsonSchema>(self) -> Self {
        let name: String = T::schema_name()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .take(64)
            .collect();
        self.with_output(name, schema::of_answer::<T>())
    }

    /// Offers the tools of a set with a single model call.
    pub fn set_tools(&mut self, tools: &impl Tools) {
        self.tools = tools.definitions();
    }

    /// Makes the prompt the first message, where there is none yet. The instructions stand before
    /// every transcript anyway.
    pub fn ensure_messages_from_prompt(&mut self) {
        if self.messages.is_empty() && !self.prompt.is_empty() {
            self.messages.push(Message::user(self.prompt.clone()));
        }
    }

    /// Adds the answer that asked for calls.
    pub fn append_assistant_tool_calls(
        &mut self,
        text: impl Into<String>,
        calls: impl IntoIterator<Item = ToolCall>,
    ) {
        let text = text.into();
        let mut message = if text.is_empty() {
            AssistantMessage::default()
        } else {
            AssistantMessage::says(text)
        };
        message
            .parts
            .extend(calls.into_iter().map(AssistantPart::ToolCall));
        self.append_answer(message);
    }

    /// Adds an answer as it came, with what the model thought and what its provider wants back.
    pub fn append_answer(&mut self, answer: AssistantMessage) {
        self.messages.push(Message::Assistant(answer));
    }

    /// Adds the result of a call.
    pub fn append_tool_result(
        &mut self,
        call: crate::id::CallId,
        name: impl Into<String>,
        content: impl Into<String>,
    ) {
        self.messages.push(Message::Tool(ToolMessage {
            call,
            name: name.into(),
            content: content.into(),
            is_error: false,
        }));
    }
}
