use serde::{Deserialize, Serialize};

use crate::message::AssistantMessage;

/// What a model answered, whole.
///
/// Shown at [`Answer::new`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Text, reasoning and calls.
    pub message: AssistantMessage,
    /// Facts about the model call.
    pub meta: AnswerMeta,
}

impl Answer {
    /// An answer of which nothing is known but the model.
    ///
    /// ```
    /// use toolcrib::message::AssistantMessage;
    /// use toolcrib::model::{Answer, FinishReason};
    ///
    /// let answer = Answer::new(AssistantMessage::says("Three."), "tiny");
    /// assert_eq!(answer.meta.finish, FinishReason::Stop);
    /// assert_eq!(answer.meta.usage, None);
    /// ```
    #[must_use]
    pub fn new(message: AssistantMessage, model: impl Into<String>) -> Self {
        let finish = if message.tool_calls().next().is_some() {
            FinishReason::ToolCalls
        } else {
            FinishReason::Stop
        };
        let meta = AnswerMeta {
            model: model.into(),
            finish,
            usage: None,
            request_id: None,
            latency_ms: 0,
            attempts: 1,
            retried: Vec::new(),
        };
        Self { message, meta }
    }
}

/// Facts about one model call.
///
/// Shown at [`Answer::new`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerMeta {
    /// The model that answered, as the provider names it.
    pub model: String,
    /// Why it stopped.
    pub finish: FinishReason,
    /// Tokens; unknown where the provider does not say.
    pub usage: Option<Usage>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// From the asking to the end of the answer, in milliseconds, retries included.
    pub latency_ms: u64,
    /// How many attempts it took.
    pub attempts: u32,
    /// The attempts before the last one, which failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retried: Vec<RetriedAttempt>,
}

/// An attempt that failed and was followed by another.
///
/// Listed by [`GenerateResult::response_calls`](crate::GenerateResult::response_calls).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetriedAttempt {
    /// What went wrong.
    pub error: String,
    /// The HTTP status, if a response came.
    pub status: Option<u16>,
    /// How long it took to fail, in milliseconds.
    pub latency_ms: u64,
}

/// Why a model stopped.
///
/// Shown at [`Answer::new`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said what it wanted.
    Stop,
    /// It waits for results of tools.
    ToolCalls,
    /// The output limit cut it off.
    Length,
    /// The provider withheld the rest.
    ContentFilter,
    /// The model will not answer.
    Refusal,
    /// Something the provider calls by another name.
    Other(String),
}

impl FinishReason {
    /// The name of the reason.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::Refusal => "refusal",
            Self::Other(name) => name,
        }
    }
}

/// Tokens of one model call. A number that the provider did not give is unknown, not zero.
///
/// Summed by [`GenerateResult::total_input_tokens`](crate::GenerateResult::total_input_tokens) and its like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Read by the model, cached ones included.
    pub input_tokens: Option<u64>,
    /// Written by the model, reasoning included.
    pub output_tokens: Option<u64>,
    /// Of the input, those read from the provider's cache.
    pub cached_tokens: Option<u64>,
    /// Of the output, those spent on reasoning.
    pub reasoning_tokens: Option<u64>,
}
