use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::step::{CallText, Step, StepCall, ending_text, results_within};
use super::{Request, Warning};
use crate::ToolResult;
use crate::id::CallId;
use crate::message::{Message, ToolCall, Transcript};
use crate::model::AnswerMeta;
use crate::state::{CallState, WaitingFor};

/// A run that waits for somebody. It is data: write it down, go on with it tomorrow, in another
/// process.
///
/// Decide on what waits with the methods below, then hand it to
/// [`Client::resume`](crate::Client::resume). Calls that nobody decided on go on waiting.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Paused {
    pub(super) request: Request,
    pub(super) steps: Vec<Step>,
    pub(super) metas: Vec<AnswerMeta>,
    pub(super) max_steps: usize,
    pub(super) pending: Vec<PendingCall>,
    /// Answers to questions, for the tools that asked.
    pub(super) answers: BTreeMap<String, (Value, Value)>,
    /// Calls on which a person decided in favour; an answer to a question is no such decision.
    #[serde(default)]
    pub(super) approved: BTreeSet<CallId>,
    pub(super) warnings: Vec<Warning>,
    /// How often in a row the same call was to run.
    #[serde(default)]
    pub(super) repeats: usize,
}

/// A call that waits for somebody.
///
/// Listed by [`Paused::pending`]; the example `approvals` shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingCall {
    /// The call, with the arguments that will run.
    pub call: ToolCall,
    /// What it waits for.
    pub waits_for: WaitingFor,
    /// What is asked of the person, or of another agent.
    pub question: String,
    /// The agent that is asked, where one is.
    pub agent: Option<String>,
    /// What the tool needs to go on with an answer.
    pub(super) state: Value,
}

/// A call that does not wait, or not for this.
///
/// What decisions on a [`Paused`] run fail with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call {call} does not wait for that")]
pub struct NotPending {
    call: CallId,
}

impl Paused {
    /// The calls that wait, in the order asked.
    #[must_use]
    pub fn pending(&self) -> &[PendingCall] {
        &self.pending
    }

    /// Lets a call run, with the arguments that it was asked for with.
    ///
    /// # Errors
    /// When it does not wait for an approval.
    pub fn approve(&mut self, call: CallId) -> Result<(), NotPending> {
        self.take(call, &[WaitingFor::Approval])?;
        self.approved.insert(call);
        self.set(call, CallState::Approved, None);
        Ok(())
    }

    /// Keeps a call from running; the model reads the reason.
    ///
    /// # Errors
    /// When it does not wait.
    pub fn reject(&mut self, call: CallId, reason: &str) -> Result<(), NotPending> {
        let any = [
            WaitingFor::Approval,
            WaitingFor::Answer,
            WaitingFor::Client,
            WaitingFor::Run,
            WaitingFor::Connect,
        ];
        self.take(call, &any)?;
        let mut content = ending_text(CallState::Rejected).to_owned();
        if !reason.is_empty() {
            content = format!("{content} Reason: {reason}");
        }
        self.end(call, CallState::Rejected, content, true);
        Ok(())
    }

    /// Answers the question of a tool; it goes on with the answer.
    ///
    /// # Errors
    /// When it does not wait for an answer.
    pub fn answer(&mut self, call: CallId, answer: impl Into<Value>) -> Result<(), NotPending> {
        let pending = self.take(call, &[WaitingFor::Answer])?;
        self.answers
            .insert(call.to_string(), (pending.state, answer.into()));
        self.set(call, CallState::Approved, None);
        Ok(())
    }

    /// Gives the result of a call that runs elsewhere: in the caller's program or page, or as
    /// another agent's answer.
    ///
    /// # Errors
    /// When it does not wait for that, or the result is itself no end.
    pub fn give_result(&mut self, call: CallId, result: &ToolResult) -> Result<(), NotPending> {
        let (state, content, is_error) = match result {
            ToolResult::Success { output, .. } => {
                (CallState::Succeeded, ToolResult::output_text(output), false)
            }
            ToolResult::Failure { message } => (CallState::Failed, message.clone(), true),
            ToolResult::NeedsApproval { .. }
            | ToolResult::NeedsAnswer { .. }
            | ToolResult::Consult { .. }
            | ToolResult::ClientSide
            | ToolResult::Abort { .. } => return Err(NotPending { call }),
        };
        self.take(
            call,
            &[WaitingFor::Client, WaitingFor::Run, WaitingFor::Connect],
        )?;
        self.end(call, state, content, is_error);
        Ok(())
    }

    /// Gives up what waits because the person goes on with something else; answers with the
    /// transcript, whole, to go on from.
    #[must_use]
    pub fn supersede(mut self) -> Transcript {
        for pending in std::mem::take(&mut self.pending) {
            let text = ending_text(CallState::Superseded).to_owned();
            self.end(pending.call.id, CallState::Superseded, text, true);
        }
        let calls = self.steps.last_mut().map(|step| &mut step.calls);
        for call in calls.into_iter().flatten() {
            if !call.state.is_ending() {
                call.state = CallState::NotStarted;
                call.result = Some(CallText {
                    content: "Not started: the user went on with a new message.".to_owned(),
                    is_error: true,
                });
            }
        }
        let mut messages = self.request.messages;
        messages.extend(
            results_within(&self.steps, self.repeats)
                .into_iter()
                .map(Message::Tool),
        );
        messages
    }

    /// What does not hold together in a run that was kept somewhere, if anything: nothing of it may
    /// run then.
    pub(super) fn flaw(&self) -> Option<&'static str> {
        let Some(last) = self.steps.last() else {
            return Some("it has no steps");
        };
        if !matches!(self.request.messages.last(), Some(Message::Assistant(answer)) if *answer == last.answer)
        {
            return Some("its transcript does not end with the answer that it waits at");
        }
        let asked: Vec<&ToolCall> = last.answer.tool_calls().collect();
        let is_asked =
            |(call, asked): (&StepCall, &&ToolCall)| call.id == asked.id && call.name == asked.name;
        if asked.len() != last.calls.len() || !last.calls.iter().zip(&asked).all(is_asked) {
            return Some("its calls are not those of its last answer");
        }
        let waiting = |call: &&StepCall| call.state.waiting_for().is_some();
        if self.pending.len() != last.calls.iter().filter(waiting).count() {
            return Some("what is pending is not what waits");
        }
        let mut calls = last.calls.iter().zip(asked);
        calls.find_map(|(call, asked)| self.flaw_of(call, asked))
    }

    fn flaw_of(&self, call: &StepCall, asked: &ToolCall) -> Option<&'static str> {
        match call.state {
            CallState::Waiting(what) => {
                let is_it =
                    |pending: &PendingCall| pending.call == *asked && pending.waits_for == what;
                let is_pending = self.pending.iter().any(is_it);
                (!is_pending).then_some("what is pending is not what waits")
            }
            CallState::Running | CallState::Ran => Some("a call of it is under way"),
            CallState::Asked | CallState::Approved => None,
            _ if call.result.is_some() => None,
            _ => Some("a call of it ended without a result"),
        }
    }

    fn take(&mut self, call: CallId, of: &[WaitingFor]) -> Result<PendingCall, NotPending> {
        let at = self
            .pending
            .iter()
            .position(|pending| pending.call.id == call && of.contains(&pending.waits_for))
            .ok_or(NotPending { call })?;
        Ok(self.pending.remove(at))
    }

    fn end(&mut self, call: CallId, state: CallState, content: String, is_error: bool) {
        self.set(call, state, Some(&CallText { content, is_error }));
    }

    fn set(&mut self, id: CallId, state: CallState, result: Option<&CallText>) {
        let calls = self.steps.last_mut().map(|step| &mut step.calls);
        for call in calls.into_iter().flatten().filter(|call| call.id == id) {
            call.state = state;
            call.result = result.cloned();
        }
    }
}
