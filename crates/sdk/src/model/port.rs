use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::{Answer, Capabilities, ModelError, ModelRequest, ModelSink};
use crate::telemetry;

/// A language model.
///
/// ```
/// use tokio_util::sync::CancellationToken;
/// use toolcrib::message::AssistantMessage;
/// use toolcrib::model::{Answer, Model, ModelError, ModelRequest, ModelSink};
///
/// /// Says the same to everybody.
/// struct Parrot;
///
/// impl Model for Parrot {
///     fn provider(&self) -> &str { "parrot" }
///     fn name(&self) -> &str { "grey" }
///     async fn respond(
///         &self,
///         _: &ModelRequest,
///         _: &mut dyn ModelSink,
///         _: &CancellationToken,
///     ) -> Result<Answer, ModelError> {
///         Ok(Answer::new(AssistantMessage::says("Hello."), "grey"))
///     }
/// }
/// ```
pub trait Model: Send + Sync + 'static {
    /// The provider, as in `gen_ai.provider.name`.
    fn provider(&self) -> &str;

    /// The model, as the provider names it.
    fn name(&self) -> &str;

    /// What the model can do.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

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
    fn capabilities(&self) -> Capabilities;
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

    fn capabilities(&self) -> Capabilities {
        Model::capabilities(self)
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
///
/// Made of any [`Model`]; asked by a [`Client`](crate::Client), which shows it.
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

    /// What the model can do.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
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
        let span = telemetry::chat_span(self.provider(), self.name(), request);
        let answer = self
            .0
            .respond(request, sink, cancel)
            .instrument(span.clone())
            .await;
        telemetry::record(&span, answer.as_ref());
        answer
    }
}

impl<M: Model> From<M> for SharedModel {
    fn from(model: M) -> Self {
        Self::new(model)
    }
}

impl fmt::Debug for SharedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedModel").field(&self.0.name()).finish()
    }
}
