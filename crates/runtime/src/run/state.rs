//! A run as its rows say it stands.

use serde_json::{Value, json};
use toolcrib::agent::step::{Bounds, Next, Step, StepCall, next};
use toolcrib::message::Message;
use toolcrib_counter::{CallMode, stored_text};
use toolcrib_data::platform::Page;
use toolcrib_data::platform::approvals::{self, ApprovalFilter, ApprovalRow};
use toolcrib_data::platform::calls::{self, CallRow};
use toolcrib_data::platform::conversations;
use toolcrib_data::platform::runs::{self, RunRow, RunState, StepRow};
use toolcrib_data::{ReadFrom, StoreError};

/// A run with its steps and calls.
#[derive(Clone, Debug)]
pub(crate) struct LoadedRun {
    pub(crate) row: RunRow,
    /// Whether what its calls write stays: its conversation says so, whoever takes the run up.
    pub(crate) mode: CallMode,
    pub(crate) steps: Vec<LoadedStep>,
}

/// A step with its calls, in the order asked.
#[derive(Clone, Debug)]
pub(crate) struct LoadedStep {
    pub(crate) row: StepRow,
    pub(crate) calls: Vec<LoadedCall>,
}

/// A call with the decision it waits for, or waited for.
#[derive(Clone, Debug)]
pub(crate) struct LoadedCall {
    pub(crate) row: CallRow,
    pub(crate) approval: Option<ApprovalRow>,
}

impl LoadedRun {
    /// Reads what there is of a run.
    pub(crate) async fn load(from: &mut impl ReadFrom, row: RunRow) -> Result<Self, StoreError> {
        let is_trial = conversations::is_trial(from, row.org, row.conversation).await?;
        let mode = CallMode::default().in_conversation(is_trial);
        let steps = runs::steps(from, row.org, row.id).await?;
        let calls = calls::of_run(from, row.org, row.id).await?;
        let filter = ApprovalFilter {
            conversation: Some(row.conversation),
            ..ApprovalFilter::default()
        };
        let asked_any = calls.iter().any(|call| call.arguments_hash.is_some());
        let approvals = if asked_any {
            approvals::list(
                from,
                row.org,
                &filter,
                &Page {
                    limit: 10_000,
                    after: None,
                },
            )
            .await?
        } else {
            Vec::new()
        };
        let steps = steps
            .into_iter()
            .map(|step| {
                let of_step = calls
                    .iter()
                    .filter(|call| call.place.is_some_and(|place| place.step == step.step));
                let calls = of_step
                    .map(|call| LoadedCall {
                        row: call.clone(),
                        approval: approvals
                            .iter()
                            .find(|approval| approval.call == call.id)
                            .cloned(),
                    })
                    .collect();
                LoadedStep { row: step, calls }
            })
            .collect();
        Ok(Self { row, mode, steps })
    }

    /// The run in the words of the step function, with all that is in it.
    pub(crate) fn steps(&self) -> Vec<Step> {
        self.steps
            .iter()
            .map(|step| Step {
                answer: step.row.answer.message.clone(),
                calls: step.calls.iter().map(|call| self.step_call(call)).collect(),
            })
            .collect()
    }

    /// One of its calls in the words of the step function.
    pub(crate) fn step_call(&self, call: &LoadedCall) -> StepCall {
        // Every call of a run that is over has ended; one that has not would break all later turns.
        let is_over = !self.row.state.is_open();
        StepCall {
            id: call.row.id,
            name: call.row.tool.clone(),
            state: call.row.state,
            result: (call.row.state.is_ending() || is_over).then(|| stored_text(&call.row)),
            aborts: false,
        }
    }

    /// What comes next.
    pub(crate) fn next(&self, max_steps: usize) -> Next {
        next(
            &self.steps(),
            Bounds {
                stopped: self.row.stop_requested,
                ..Bounds::steps(max_steps)
            },
        )
    }

    /// The run as messages, with all that is in it: to be checked, never to be sent.
    pub(crate) fn whole_transcript(&self) -> Vec<Message> {
        toolcrib::agent::step::transcript(&self.steps())
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &LoadedCall> {
        self.steps.iter().flat_map(|step| &step.calls)
    }

    /// What a reader is told first of a run that is a trial: its calls look like real ones.
    pub(crate) fn trial_notice(&self) -> Option<Value> {
        match self.mode {
            CallMode::Real => None,
            CallMode::Trial => Some(json!({
                "kind": "trial",
                "text": "A trial: its calls run, and everything that they write is undone.",
            })),
        }
    }

    /// What a reader is told of how the run ended, where that is not plain from the answer.
    pub(crate) fn notice(&self) -> Option<Value> {
        let finish = self.row.finish.as_ref();
        let text = |key: &str| {
            finish
                .and_then(|finish| finish.get(key))
                .and_then(Value::as_str)
        };
        match self.row.state {
            RunState::Failed => Some(
                json!({"kind": "model_error", "text": text("error").unwrap_or("The run failed.")}),
            ),
            RunState::Stopped => Some(json!({"kind": "stopped", "text": "Stopped."})),
            RunState::Done if text("finish") == Some("step_limit") => Some(json!({
                "kind": "step_limit",
                "text": "Ended at the limit of steps. Write on to let the agent go on.",
            })),
            RunState::Done if text("finish") == Some("repeated") => Some(json!({
                "kind": "step_limit",
                "text": "Ended, since the agent asked for the same call again and again.",
            })),
            RunState::Done | RunState::Active | RunState::Waiting => None,
        }
    }
}
