//! The port to language models, and the providers behind it.

mod error;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(feature = "openai")]
mod sse;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

pub use error::{ModelError, ModelErrorKind};

use crate::ToolDefinition;
use crate::id::CallId;
use crate::message::{AssistantMessage, Message};

/// What a language model is asked.
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    /// Instructions that stand before the transcript.
    pub system: String,
    /// The transcript; every call in it has its result.
    pub messages: Vec<Message>,
    /// The tools it may call.
    pub tools: Arc<Vec<ToolDefinition>>,
    /// Whether it may, must or must not call one.
    pub tool_choice: ToolChoice,
    /// How much it may vary, 0 to 2; unset leaves it to the provider.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_output_tokens: Option<u32>,
}

/// Whether a model may, must or must not call a tool.
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

/// What a model answered, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Text, reasoning and calls.
    pub message: AssistantMessage,
    /// Facts about the model call.
    pub meta: AnswerMeta,
}

/// Facts about one model call.
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
    /// From the asking to the end of the answer, in milliseconds.
    pub latency_ms: u64,
    /// How many attempts it took.
    pub attempts: u32,
}

/// Why a model stopped.
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
    /// Something the provider calls by another name.
    Other(String),
}

/// Tokens of one model call. A number that the provider did not give is unknown, not zero.
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

/// Something that happened while a model answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEvent {
    /// More text for the reader.
    Text(String),
    /// More of what the model thinks.
    Reasoning(String),
    /// A call begins.
    CallStarted {
        /// Our id of it.
        id: CallId,
        /// The tool.
        name: String,
    },
    /// More of a call's arguments.
    CallArguments {
        /// Our id of the call.
        id: CallId,
        /// The next piece of its argument text.
        delta: String,
    },
}

/// Takes what happens while a model answers.
pub trait ModelSink: Send {
    /// Takes one event; must not block.
    fn event(&mut self, event: ModelEvent);
}

impl<F: FnMut(ModelEvent) + Send> ModelSink for F {
    fn event(&mut self, event: ModelEvent) {
        self(event);
    }
}

/// A language model.
pub trait Model: Send + Sync + 'static {
    /// The provider, as in `gen_ai.provider.name`.
    fn provider(&self) -> &str;

    /// The model, as the provider names it.
    fn name(&self) -> &str;

    /// Answers a request, telling `sink` as it goes.
    fn respond(
        &self,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
        cancel: &CancellationToken,
    ) -> impl Future<Output = Result<Answer, ModelError>> + Send;
}

type AnswerFuture<'a> = Pin<Box<dyn Future<Output = Result<Answer, ModelError>> + Send + 'a>>;

trait Erased: Send + Sync {
    fn provider(&self) -> &str;
    fn name(&self) -> &str;
    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a mut dyn ModelSink,
        cancel: &'a CancellationToken,
    ) -> AnswerFuture<'a>;
}

impl<M: Model> Erased for M {
    fn provider(&self) -> &str {
        Model::provider(self)
    }

    fn name(&self) -> &str {
        Model::name(self)
    }

    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a mut dyn ModelSink,
        cancel: &'a CancellationToken,
    ) -> AnswerFuture<'a> {
        Box::pin(Model::respond(self, request, sink, cancel))
    }
}

/// Any language model, cheap to clone.
#[derive(Clone)]
pub struct SharedModel(Arc<dyn Erased>);

impl SharedModel {
    /// Shares a model.
    pub fn new(model: impl Model) -> Self {
        Self(Arc::new(model))
    }

    /// The provider.
    #[must_use]
    pub fn provider(&self) -> &str {
        self.0.provider()
    }

    /// The model's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Answers a request, telling `sink` as it goes.
    ///
    /// # Errors
    /// When no whole answer came.
    pub async fn respond(
        &self,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        self.0.respond(request, sink, cancel).await
    }
}

impl fmt::Debug for SharedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedModel").field(&self.0.name()).finish()
    }
}
