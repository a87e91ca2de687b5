use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::options::Options;
use super::run::Run;
use super::{
    GenerateError, GenerateErrorKind, GenerateEvent, GenerateResult, GenerateSink, GenerateStart,
    Observer, Paused, Request, StepPlan, StopWhen, Typed, UnknownTools,
};
use crate::model::{Delivery, SharedModel};
use crate::read::Problem;
use crate::{ToolSet, Tools, telemetry};

/// Runs the tool loop.
///
/// ```
/// use toolcrib::message::{AssistantMessage, ToolCall};
/// use toolcrib::{Client, Request, ToolSet, tool_fn};
/// # use toolcrib::model::{Answer, Model, ModelError, ModelRequest, ModelSink, SharedModel};
/// # struct Says;
/// # impl Model for Says {
/// #     fn provider(&self) -> &str { "p" }
/// #     fn name(&self) -> &str { "m" }
/// #     async fn respond(&self, _: &ModelRequest, _: &mut dyn ModelSink, _: &tokio_util::sync::CancellationToken) -> Result<Answer, ModelError> {
/// #         Ok(Answer::new(AssistantMessage::says("4"), "m"))
/// #     }
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let model = SharedModel::new(Says);
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Add { a: i64, b: i64 }
///
/// let mut tools = ToolSet::new();
/// tools.add(tool_fn("add", "Adds two numbers.", |input: Add| async move { input.a + input.b }))?;
/// let request = Request::from_prompt("How much is 2 and 2?");
/// let result = Client::new().generate(&model, request, &tools, 5).await?;
/// assert_eq!(result.output(), "4");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Client {
    options: Options,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("unknown_tools", &self.options.unknown_tools)
            .field("stop_when", &self.options.stop_when)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// A client with the usual ways.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends its runs when `cancel` is set.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.options.cancel = cancel;
        self
    }

    /// Says what becomes of a call whose tool nobody knows.
    #[must_use]
    pub fn unknown_tools(mut self, what: UnknownTools) -> Self {
        self.options.unknown_tools = what;
        self
    }

    /// Ends its runs when a condition holds; several may.
    #[must_use]
    pub fn stop_when(mut self, condition: StopWhen) -> Self {
        self.options.stop_when.push(condition);
        self
    }

    /// Lets `prepare` change each step before it is taken: the tools that are offered, whether
    /// one must be called, the instructions, the language model.
    ///
    /// ```
    /// let client = toolcrib::Client::new().prepare_step(|plan| {
    ///     if plan.step > 0 {
    ///         plan.only(["finish"]);
    ///     }
    /// });
    /// ```
    #[must_use]
    pub fn prepare_step(
        mut self,
        prepare: impl Fn(&mut StepPlan<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.options.prepare = Some(Arc::new(prepare));
        self
    }

    /// Lets somebody look on; several may.
    #[must_use]
    pub fn observe(mut self, observer: impl Observer) -> Self {
        self.options.observers.push(Arc::new(observer));
        self
    }

    /// Gives each call of a tool this long; unlimited at first.
    #[must_use]
    pub fn call_timeout(mut self, timeout: Duration) -> Self {
        self.options.call_timeout = Some(timeout);
        self
    }

    /// Gives tools this long to end by themselves once the run is stopped or their time is up;
    /// one second at first.
    #[must_use]
    pub fn stop_deadline(mut self, deadline: Duration) -> Self {
        self.options.stop_deadline = deadline;
        self
    }

    /// Lets the same call run so often in a row, three times at first; 0 for as often as the
    /// model likes.
    #[must_use]
    pub fn repeat_limit(mut self, most: usize) -> Self {
        self.options.repeats = most;
        self
    }

    /// Says how much the language model can read, in tokens, where that is not known or is to be
    /// less.
    #[must_use]
    pub fn context_tokens(mut self, most: u64) -> Self {
        self.options.context_tokens = Some(most);
        self
    }

    /// Asks the model and runs the tools it asks for, until it answers or `max_steps` are taken
    /// (below 1 counts as 1; [`DEFAULT_MAX_STEPS`](crate::agent::DEFAULT_MAX_STEPS) is the usual
    /// number).
    ///
    /// A run whose calls wait for somebody ends too: see [`GenerateResult::is_waiting`].
    ///
    /// # Errors
    /// See [`GenerateErrorKind`]; the error holds what had been done.
    pub async fn generate(
        &self,
        model: &SharedModel,
        request: Request,
        tools: &impl Tools,
        max_steps: usize,
    ) -> Result<GenerateResult, GenerateError> {
        let run = Run::new(&self.options, model, request, tools, max_steps);
        self.drive(run, Delivery::Whole, &mut |_: GenerateEvent| {})
            .await
    }

    /// As [`Client::generate`], telling `sink` what happens as it happens.
    ///
    /// # Errors
    /// As [`Client::generate`].
    pub async fn generate_streaming(
        &self,
        model: &SharedModel,
        request: Request,
        tools: &impl Tools,
        max_steps: usize,
        sink: &mut dyn GenerateSink,
    ) -> Result<GenerateResult, GenerateError> {
        let run = Run::new(&self.options, model, request, tools, max_steps);
        self.drive(run, Delivery::Streamed, sink).await
    }

    /// As [`Client::generate`], with a final answer of the shape of `T`.
    ///
    /// # Errors
    /// As [`Client::generate`]; also when the answer has not that shape.
    pub async fn generate_as<T: DeserializeOwned + schemars::JsonSchema>(
        &self,
        model: &SharedModel,
        request: Request,
        tools: &impl Tools,
        max_steps: usize,
    ) -> Result<Typed<T>, GenerateError> {
        let request = request.with_output_of::<T>();
        let result = self.generate(model, request, tools, max_steps).await?;
        let value = match result.output_json() {
            Some(output) => T::deserialize(output).map_err(|error| error.to_string()),
            None => Err(no_answer(&result).to_owned()),
        };
        match value {
            Ok(value) => Ok(Typed { value, result }),
            Err(message) => {
                let kind = GenerateErrorKind::Output {
                    text: result.output(),
                    problems: vec![Problem {
                        pointer: String::new(),
                        message,
                    }],
                };
                Err(GenerateError::new(kind, result))
            }
        }
    }

    /// Asks the model once, with the tools that the request offers, and runs nothing: for those
    /// who go on by themselves.
    ///
    /// # Errors
    /// As [`Client::generate`].
    pub async fn generate_once(
        &self,
        model: &SharedModel,
        request: &Request,
    ) -> Result<GenerateResult, GenerateError> {
        let nothing = ToolSet::new();
        let run = Run::new(&self.options, model, request.clone(), &nothing, 1).once();
        self.drive(run, Delivery::Whole, &mut |_: GenerateEvent| {})
            .await
    }

    /// Goes on with a run that waited.
    ///
    /// # Errors
    /// As [`Client::generate`].
    pub async fn resume(
        &self,
        model: &SharedModel,
        paused: Paused,
        tools: &impl Tools,
    ) -> Result<GenerateResult, GenerateError> {
        let run = Run::resumed(&self.options, model, paused, tools);
        self.drive(run, Delivery::Whole, &mut |_: GenerateEvent| {})
            .await
    }

    /// As [`Client::resume`], telling `sink` what happens as it happens.
    ///
    /// # Errors
    /// As [`Client::generate`].
    pub async fn resume_streaming(
        &self,
        model: &SharedModel,
        paused: Paused,
        tools: &impl Tools,
        sink: &mut dyn GenerateSink,
    ) -> Result<GenerateResult, GenerateError> {
        let run = Run::resumed(&self.options, model, paused, tools);
        self.drive(run, Delivery::Streamed, sink).await
    }

    async fn drive<T: Tools>(
        &self,
        run: Run<'_, T>,
        delivery: Delivery,
        sink: &mut dyn GenerateSink,
    ) -> Result<GenerateResult, GenerateError> {
        let observers = &self.options.observers;
        let start = GenerateStart {
            provider: run.model().provider(),
            model: run.model().name(),
            messages: run.message_count(),
            tools: run.tool_count(),
        };
        observers
            .iter()
            .for_each(|observer| observer.before_generate(&start));
        let span = telemetry::run_span(start.provider, start.model);
        let outcome = run.drive(delivery, sink).instrument(span).await;
        observers
            .iter()
            .for_each(|observer| observer.after_generate(outcome.as_ref()));
        outcome
    }
}

/// Why a run that ended well ended without an answer.
fn no_answer(result: &GenerateResult) -> &'static str {
    if result.is_waiting() {
        "there is none yet: calls wait for somebody, see `partial().paused()`"
    } else if result.stopped_at_step_limit() {
        "there is none: the run ended at its step limit while the model asked for tools"
    } else if result.stopped_by_condition() {
        "there is none: a stop condition ended the run while the model asked for tools"
    } else {
        "there is none: the model asked for tools to the last"
    }
}
