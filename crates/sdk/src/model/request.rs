use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Definitions;
use crate::message::Transcript;

/// What a language model is asked.
///
/// ```
/// use toolcrib::message::Message;
/// use toolcrib::model::ModelRequest;
///
/// let request = ModelRequest {
///     system: "Answer in one word.".to_owned(),
///     messages: vec![Message::user("How many legs has a spider?")].into(),
///     ..ModelRequest::default()
/// };
/// assert!(request.tools.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    /// Instructions that stand before the transcript.
    pub system: String,
    /// The transcript; every call in it has its result.
    pub messages: Transcript,
    /// The tools it may call.
    pub tools: Definitions,
    /// Whether it may, must or must not call one.
    pub tool_choice: ToolChoice,
    /// Whether it may ask for several calls at once; unset leaves it to the provider.
    pub parallel_calls: Option<bool>,
    /// How much it may vary, 0 to 2; unset leaves it to the provider.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_output_tokens: Option<u32>,
    /// The shape of the answer, where the provider itself is to hold the model to it.
    pub output: Option<OutputSchema>,
    /// How the answer comes.
    pub delivery: Delivery,
    /// How long to wait for the answer to begin, and for each next piece of it; unset takes the
    /// endpoint's own.
    pub timeout: Option<Duration>,
}

/// How an answer comes.
///
/// Part of a [`ModelRequest`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// Piece by piece, as the model writes it.
    #[default]
    Streamed,
    /// In one piece; costs less where nobody reads along.
    Whole,
}

/// The shape that an answer is to have.
///
/// Given by [`Request::with_output`](crate::Request::with_output).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputSchema {
    /// A name for it: a letter, then letters, digits and underscores.
    pub name: String,
    /// The JSON Schema.
    pub schema: Value,
}

/// Whether a model may, must or must not call a tool.
///
/// Part of a [`ModelRequest`] and of a [`Request`](crate::Request).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// As it sees fit.
    #[default]
    Auto,
    /// None at all.
    None,
    /// At least one.
    Required,
    /// This one.
    Tool(String),
}
