//! The loop for programs that keep everything in memory.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::step::{Bounds, CallText, Finish, Next, Step, StepCall, ending_text, next, transcript};
use crate::id::CallId;
use crate::message::{AssistantMessage, Message, ToolCall};
use crate::model::{
    AnswerMeta, ModelError, ModelEvent, ModelRequest, ModelSink, SharedModel, ToolChoice,
};
use crate::state::CallState;
use crate::{ToolContext, ToolResult, ToolSet};

/// What to generate from.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Instructions that stand before the transcript.
    pub system: String,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// Whether the model may, must or must not call a tool; a forced choice holds for the first step.
    pub tool_choice: ToolChoice,
    /// How much the model may vary.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_output_tokens: Option<u32>,
}

impl Request {
    /// A request with one message of the user.
    #[must_use]
    pub fn from_prompt(prompt: impl Into<String>) -> Self {
        Self {
            messages: vec![Message::User {
                text: prompt.into(),
            }],
            ..Self::default()
        }
    }
}

/// Something worth knowing that is no failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The loop ended at its step limit while the model still asked for tools.
    ToolLoopStepLimit,
}

impl Warning {
    /// The name of the warning.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolLoopStepLimit => "tool_loop_step_limit",
        }
    }
}

/// Why a generation gave no result.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A model call failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A tool ended the run.
    #[error("a tool ended the run: {reason}")]
    Aborted {
        /// Why.
        reason: String,
    },
    /// The run was cancelled.
    #[error("the run was cancelled")]
    Cancelled,
}

/// What came of a generation.
#[derive(Clone, Debug)]
pub struct GenerateResult {
    steps: Vec<Step>,
    metas: Vec<AnswerMeta>,
    finish: Finish,
    messages: Vec<Message>,
}

impl GenerateResult {
    /// The final answer; empty where the loop ended without one.
    #[must_use]
    pub fn output(&self) -> String {
        match self.finish {
            Finish::Answered => self
                .steps
                .last()
                .map(|step| step.answer.text())
                .unwrap_or_default(),
            Finish::StepLimit | Finish::Aborted | Finish::Stopped => String::new(),
        }
    }

    /// How many model calls were made; a retried one counts once.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// Whether the last answer asked for tools.
    #[must_use]
    pub fn has_tool_calls(&self) -> bool {
        !self.tool_calls().is_empty()
    }

    /// The calls that the last answer asked for.
    #[must_use]
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        self.steps
            .last()
            .map(|step| step.answer.tool_calls().cloned().collect())
            .unwrap_or_default()
    }

    /// Whether the loop ended at its step limit.
    #[must_use]
    pub fn stopped_at_step_limit(&self) -> bool {
        self.finish == Finish::StepLimit
    }

    /// Facts about each model call.
    #[must_use]
    pub fn response_calls(&self) -> &[AnswerMeta] {
        &self.metas
    }

    /// Tokens read by the model over all steps; unknown if a step does not say.
    #[must_use]
    pub fn total_input_tokens(&self) -> Option<u64> {
        self.metas.iter().map(|meta| meta.usage?.input_tokens).sum()
    }

    /// Tokens written by the model over all steps; unknown if a step does not say.
    #[must_use]
    pub fn total_output_tokens(&self) -> Option<u64> {
        self.metas
            .iter()
            .map(|meta| meta.usage?.output_tokens)
            .sum()
    }

    /// What is worth knowing.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        if self.stopped_at_step_limit() {
            vec![Warning::ToolLoopStepLimit]
        } else {
            Vec::new()
        }
    }

    /// The whole transcript, to continue from.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }
}

/// Runs the loop.
#[derive(Clone, Debug, Default)]
pub struct Client {
    cancel: CancellationToken,
}

impl Client {
    /// A client whose runs end when `cancel` is set.
    #[must_use]
    pub fn with_cancel(cancel: CancellationToken) -> Self {
        Self { cancel }
    }

    /// Asks the model and runs the tools it asks for, until it answers or `max_steps` are taken.
    ///
    /// # Errors
    /// When a model call fails, a tool aborts, or the run is cancelled.
    pub async fn generate(
        &self,
        model: &SharedModel,
        request: Request,
        tools: &ToolSet,
        max_steps: usize,
    ) -> Result<GenerateResult, GenerateError> {
        self.generate_streaming(model, request, tools, max_steps, &mut |_: ModelEvent| {})
            .await
    }

    /// As [`Client::generate`], telling `sink` what the model says as it says it.
    ///
    /// # Errors
    /// As [`Client::generate`].
    pub async fn generate_streaming(
        &self,
        model: &SharedModel,
        request: Request,
        tools: &ToolSet,
        max_steps: usize,
        sink: &mut dyn ModelSink,
    ) -> Result<GenerateResult, GenerateError> {
        let mut run = Run {
            request,
            tools,
            cancel: self.cancel.clone(),
            steps: Vec::new(),
            metas: Vec::new(),
            abort: None,
        };
        loop {
            let bounds = Bounds {
                max_steps,
                stopped: self.cancel.is_cancelled(),
            };
            match next(&run.steps, bounds) {
                Next::CallModel => run.ask(model, sink).await?,
                Next::RunCalls(calls) => run.execute(&calls).await,
                Next::CloseCalls { calls, ending } => {
                    let text = CallText {
                        content: ending_text(ending).to_owned(),
                        is_error: true,
                    };
                    calls.iter().for_each(|id| run.close(*id, ending, &text));
                }
                // Nothing waits in memory: what needs a person ended as a failure.
                Next::Wait | Next::Finish(Finish::Stopped) => return Err(GenerateError::Cancelled),
                Next::Finish(Finish::Aborted) => {
                    return Err(GenerateError::Aborted {
                        reason: run.abort.unwrap_or_default(),
                    });
                }
                Next::Finish(finish) => return Ok(run.result(finish)),
            }
        }
    }
}

struct Run<'a> {
    request: Request,
    tools: &'a ToolSet,
    cancel: CancellationToken,
    steps: Vec<Step>,
    metas: Vec<AnswerMeta>,
    abort: Option<String>,
}

impl Run<'_> {
    async fn ask(
        &mut self,
        model: &SharedModel,
        sink: &mut dyn ModelSink,
    ) -> Result<(), GenerateError> {
        let mut messages = self.request.messages.clone();
        messages.extend(transcript(&self.steps));
        let request = ModelRequest {
            system: self.request.system.clone(),
            messages,
            tools: Arc::clone(&self.tools.definitions()),
            tool_choice: if self.steps.is_empty() {
                self.request.tool_choice.clone()
            } else {
                ToolChoice::Auto
            },
            temperature: self.request.temperature,
            max_output_tokens: self.request.max_output_tokens,
        };
        let answer = model.respond(&request, sink, &self.cancel).await?;
        self.metas.push(answer.meta);
        self.steps.push(Step {
            calls: asked(&answer.message),
            answer: answer.message,
        });
        Ok(())
    }

    /// Runs the calls side by side where each is read-only, else one after the other.
    async fn execute(&mut self, ids: &[CallId]) {
        let Some(last) = self.steps.last() else {
            return;
        };
        let calls: Vec<ToolCall> = last
            .answer
            .tool_calls()
            .filter(|call| ids.contains(&call.id))
            .cloned()
            .collect();
        if calls.iter().all(|call| self.tools.is_read_only(&call.name)) {
            let results = join_all(calls.iter().map(|call| self.execute_one(call))).await;
            calls
                .iter()
                .zip(results)
                .for_each(|(call, result)| self.settle(call.id, result));
        } else {
            for call in &calls {
                let result = self.execute_one(call).await;
                self.settle(call.id, result);
            }
        }
    }

    async fn execute_one(&self, call: &ToolCall) -> ToolResult {
        if call.cut {
            return ToolResult::failure(
                "Not run: the output limit cut this call off. Ask again with less text.",
            );
        }
        let context = ToolContext {
            call: call.id,
            cancel: self.cancel.clone(),
        };
        let running = AssertUnwindSafe(self.tools.execute(&call.name, &call.arguments, &context))
            .catch_unwind();
        tokio::select! {
            () = self.cancel.cancelled() => ToolResult::failure(ending_text(CallState::Cancelled)),
            result = running => result.unwrap_or_else(|_| ToolResult::failure("The tool broke down.")),
        }
    }

    fn settle(&mut self, id: CallId, result: ToolResult) {
        let (state, content, is_error) = match result {
            ToolResult::Success { output, .. } => (
                CallState::Succeeded,
                ToolResult::output_text(&output),
                false,
            ),
            ToolResult::Failure { message } => (CallState::Failed, message, true),
            ToolResult::Abort { reason } => {
                self.abort = Some(reason.clone());
                (CallState::Failed, reason, true)
            }
            ToolResult::NeedsApproval { .. }
            | ToolResult::NeedsAnswer { .. }
            | ToolResult::Consult { .. }
            | ToolResult::ClientSide => (
                CallState::Refused,
                "This needs somebody outside, and nobody is there.".to_owned(),
                true,
            ),
        };
        self.close(id, state, &CallText { content, is_error });
    }

    fn close(&mut self, id: CallId, state: CallState, text: &CallText) {
        let aborts = self.abort.is_some();
        let calls = self
            .steps
            .last_mut()
            .into_iter()
            .flat_map(|step| &mut step.calls);
        for call in calls.filter(|call| call.id == id) {
            call.state = state;
            call.result = Some(text.clone());
            call.aborts = aborts;
        }
    }

    fn result(self, finish: Finish) -> GenerateResult {
        let mut messages = self.request.messages;
        messages.extend(transcript(&self.steps));
        GenerateResult {
            steps: self.steps,
            metas: self.metas,
            finish,
            messages,
        }
    }
}

/// The calls of an answer, none of them begun.
#[must_use]
pub fn asked(answer: &AssistantMessage) -> Vec<StepCall> {
    answer
        .tool_calls()
        .map(|call| StepCall {
            id: call.id,
            name: call.name.clone(),
            state: CallState::Asked,
            result: None,
            aborts: false,
        })
        .collect()
}
