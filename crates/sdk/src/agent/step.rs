//! What comes next in a run, decided from what has happened so far and nothing else.
//!
//! A run is its steps; [`next`] looks at them and says what to do. Since it keeps no state of its
//! own, a run that was interrupted goes on exactly as one that was not.

use crate::id::CallId;
use crate::message::{AssistantMessage, Message, ToolMessage};
use crate::state::CallState;

/// One model call of a run, and what became of the calls that it asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What the model answered.
    pub answer: AssistantMessage,
    /// One entry a call, in the order asked.
    pub calls: Vec<StepCall>,
}

/// A call of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepCall {
    /// Our id of it.
    pub id: CallId,
    /// The tool that was asked for.
    pub name: String,
    /// Where it stands.
    pub state: CallState,
    /// What the model reads of it; there once it has ended.
    pub result: Option<CallText>,
    /// Whether the tool ended the run.
    pub aborts: bool,
}

/// What a model reads of a call that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallText {
    /// The text.
    pub content: String,
    /// Whether the call did not do what was asked.
    pub is_error: bool,
}

/// How many steps a run may take, and whether it was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most model calls; below 1 counts as 1.
    pub max_steps: usize,
    /// Set once somebody stopped the run.
    pub stopped: bool,
}

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask the model.
    CallModel,
    /// Run these calls; they are asked for, or decided in favour.
    RunCalls(Vec<CallId>),
    /// Nothing, until something comes from outside.
    Wait,
    /// End these calls without running them.
    CloseCalls {
        /// The calls.
        calls: Vec<CallId>,
        /// How they end.
        ending: CallState,
    },
    /// End the run.
    Finish(Finish),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model answered without asking for a tool.
    Answered,
    /// The last step that it may take still asked for tools.
    StepLimit,
    /// A tool ended it.
    Aborted,
    /// Somebody stopped it.
    Stopped,
}

/// What comes next.
#[must_use]
pub fn next(steps: &[Step], bounds: Bounds) -> Next {
    let Some(last) = steps.last() else {
        return if bounds.stopped {
            Next::Finish(Finish::Stopped)
        } else {
            Next::CallModel
        };
    };
    let open = |wanted: &dyn Fn(CallState) -> bool| -> Vec<CallId> {
        last.calls
            .iter()
            .filter(|call| wanted(call.state))
            .map(|call| call.id)
            .collect()
    };
    if bounds.stopped {
        // A call that was handed out already ends by itself; it is not called back.
        let calls = open(&|state| !state.is_ending() && !is_under_way(state));
        return if !calls.is_empty() {
            Next::CloseCalls {
                calls,
                ending: CallState::Cancelled,
            }
        } else if last.calls.iter().any(|call| !call.state.is_ending()) {
            Next::Wait
        } else {
            Next::Finish(Finish::Stopped)
        };
    }
    if last.calls.is_empty() {
        return Next::Finish(Finish::Answered);
    }
    let at_limit = steps.len() >= bounds.max_steps.max(1);
    if at_limit {
        let calls = open(&|state| state == CallState::Asked);
        if !calls.is_empty() {
            return Next::CloseCalls {
                calls,
                ending: CallState::NotStarted,
            };
        }
    }
    let ready = open(&|state| matches!(state, CallState::Asked | CallState::Approved));
    if !ready.is_empty() {
        return Next::RunCalls(ready);
    }
    if last.calls.iter().any(|call| !call.state.is_ending()) {
        return Next::Wait;
    }
    if last.calls.iter().any(|call| call.aborts) {
        Next::Finish(Finish::Aborted)
    } else if at_limit {
        Next::Finish(Finish::StepLimit)
    } else {
        Next::CallModel
    }
}

fn is_under_way(state: CallState) -> bool {
    matches!(state, CallState::Running | CallState::Ran)
}

/// The transcript of the steps, as a model reads it: each answer, then one result a call.
///
/// A call that has not ended yet has no result, so this is only whole when [`next`] says
/// [`Next::CallModel`] or [`Next::Finish`].
#[must_use]
pub fn transcript(steps: &[Step]) -> Vec<Message> {
    let mut messages = Vec::new();
    for step in steps {
        messages.push(Message::Assistant(step.answer.clone()));
        for call in &step.calls {
            let Some(text) = &call.result else { continue };
            messages.push(Message::Tool(ToolMessage {
                call: call.id,
                name: call.name.clone(),
                content: text.content.clone(),
                is_error: text.is_error,
            }));
        }
    }
    messages
}

/// What a model is told of a call that ended without the tool's own words.
#[must_use]
pub fn ending_text(ending: CallState) -> &'static str {
    match ending {
        CallState::NotStarted => "Not started: the run had reached its step limit.",
        CallState::Cancelled => "Cancelled: the run was stopped before this call ran.",
        CallState::Superseded => {
            "Not run: the user went on with a new message instead of deciding."
        }
        CallState::Expired => "Not run: nobody decided in time.",
        CallState::Unknown => {
            "The outcome is unknown: the server stopped while this call was under way. It may have happened. Do not simply repeat it; check first."
        }
        CallState::Rejected => "Rejected by the user.",
        CallState::Refused => "Refused.",
        CallState::Failed => "Failed.",
        CallState::Asked
        | CallState::Waiting(_)
        | CallState::Approved
        | CallState::Running
        | CallState::Ran
        | CallState::Succeeded => "",
    }
}

#[cfg(test)]
mod tests;
