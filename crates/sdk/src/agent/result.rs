use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::step::{Finish, Step};
use super::{Paused, PendingCall, ResponseCall};
use crate::message::{ToolCall, Transcript};
use crate::model::{AnswerMeta, Usage};

/// Something worth knowing that is no failure.
///
/// Listed by [`GenerateResult::warnings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// The loop ended at its step limit while the model still asked for tools.
    ToolLoopStepLimit,
    /// The model asked for the same call again and again.
    RepeatedCall,
    /// Older parts of the transcript were left out, since the model can't read it whole.
    ContextTrimmed,
    /// Tools were not offered, since the model can't call any.
    ToolsNotSupported,
    /// The final answer was asked for again, since it had not the shape that was asked for.
    OutputRetried,
    /// The output limit cut an answer off.
    OutputCut,
    /// Arguments were not quite JSON objects, and were read as what they meant.
    ArgumentsRepaired,
}

impl Warning {
    /// The name of the warning.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolLoopStepLimit => "tool_loop_step_limit",
            Self::RepeatedCall => "repeated_call",
            Self::ContextTrimmed => "context_trimmed",
            Self::ToolsNotSupported => "tools_not_supported",
            Self::OutputRetried => "output_retried",
            Self::OutputCut => "output_cut",
            Self::ArgumentsRepaired => "arguments_repaired",
        }
    }
}

/// What came of a generation: the whole run, not only its last answer.
///
/// Comes of [`Client::generate`](crate::Client::generate), which shows it.
#[derive(Clone, Debug)]
pub struct GenerateResult {
    pub(super) steps: Vec<Step>,
    pub(super) metas: Vec<AnswerMeta>,
    pub(super) finish: Option<Finish>,
    pub(super) messages: Transcript,
    pub(super) output: Option<Value>,
    pub(super) output_tool: Option<String>,
    pub(super) warnings: Vec<Warning>,
    pub(super) paused: Option<Box<Paused>>,
}

impl GenerateResult {
    /// The final answer; where an answer of a certain shape was asked for, its JSON. Empty where
    /// the run ended without an answer.
    #[must_use]
    pub fn output(&self) -> String {
        if let Some(output) = &self.output {
            return output.to_string();
        }
        match (self.finish, self.steps.last()) {
            (Some(Finish::Answered), Some(step)) => {
                let text = step.answer.text();
                if text.is_empty() {
                    step.answer.refusal().unwrap_or_default().to_owned()
                } else {
                    text
                }
            }
            _ => String::new(),
        }
    }

    /// The final answer as JSON, where an answer of a certain shape was asked for.
    #[must_use]
    pub fn output_json(&self) -> Option<&Value> {
        self.output.as_ref()
    }

    /// Why the model will not answer, if it said so.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.steps.last().and_then(|step| step.answer.refusal())
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
        let last = self.steps.last();
        last.into_iter()
            .flat_map(|step| step.answer.tool_calls())
            .filter(|call| self.output_tool.as_ref() != Some(&call.name))
            .cloned()
            .collect()
    }

    /// Whether the run ended at its step limit.
    #[must_use]
    pub fn stopped_at_step_limit(&self) -> bool {
        self.finish == Some(Finish::StepLimit)
    }

    /// Whether the run ended because a stop condition held.
    #[must_use]
    pub fn stopped_by_condition(&self) -> bool {
        self.finish == Some(Finish::Condition)
    }

    /// Whether calls wait for somebody; see [`GenerateResult::into_paused`].
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.paused.is_some()
    }

    /// The calls that wait for somebody.
    #[must_use]
    pub fn pending(&self) -> &[PendingCall] {
        self.paused.as_ref().map_or(&[], |paused| paused.pending())
    }

    /// The run as it waits; nothing where nothing waits.
    #[must_use]
    pub fn paused(&self) -> Option<&Paused> {
        self.paused.as_deref()
    }

    /// The run as it waits, to be kept and gone on with by
    /// [`Client::resume`](crate::Client::resume); nothing where nothing waits.
    #[must_use]
    pub fn into_paused(self) -> Option<Paused> {
        self.paused.map(|paused| *paused)
    }

    /// Facts about each model call, those that were tried again too.
    #[must_use]
    pub fn response_calls(&self) -> Vec<ResponseCall> {
        self.metas
            .iter()
            .enumerate()
            .flat_map(|(step, meta)| ResponseCall::of(step, meta))
            .collect()
    }

    /// Tokens read by the model over all steps; unknown if a step does not say.
    #[must_use]
    pub fn total_input_tokens(&self) -> Option<u64> {
        self.total(|usage| usage.input_tokens)
    }

    /// Tokens written by the model over all steps; unknown if a step does not say.
    #[must_use]
    pub fn total_output_tokens(&self) -> Option<u64> {
        self.total(|usage| usage.output_tokens)
    }

    /// Of the tokens read, those from the provider's cache; unknown if a step does not say.
    #[must_use]
    pub fn total_cached_tokens(&self) -> Option<u64> {
        self.total(|usage| usage.cached_tokens)
    }

    /// Of the tokens written, those spent on reasoning; unknown if a step does not say.
    #[must_use]
    pub fn total_reasoning_tokens(&self) -> Option<u64> {
        self.total(|usage| usage.reasoning_tokens)
    }

    fn total(&self, of: impl Fn(Usage) -> Option<u64>) -> Option<u64> {
        let mut counts = self.metas.iter().map(|meta| meta.usage.and_then(&of));
        counts.try_fold(0, |sum: u64, count| Some(sum.saturating_add(count?)))
    }

    /// What is worth knowing; each kind once.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The steps, with every call and what became of it.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The whole transcript, to continue from.
    #[must_use]
    pub fn messages(&self) -> &Transcript {
        &self.messages
    }
}
