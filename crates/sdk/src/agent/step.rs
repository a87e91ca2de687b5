//! What comes next in a run, decided from what has happened so far and nothing else.
//!
//! A run is its steps; [`next`] looks at them and says what to do. Since it keeps no state of its
//! own, a run that was interrupted goes on exactly as one that was not.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::repeat::repeated;
use crate::id::CallId;
use crate::message::{AssistantMessage, Message, ToolMessage};
use crate::state::CallState;

/// One model call of a run, and what became of the calls that it asked for.
///
/// Made by [`Step::asked`]; shown at [`next`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What the model answered.
    pub answer: AssistantMessage,
    /// One entry a call, in the order asked.
    pub calls: Vec<StepCall>,
}

/// A call of a step.
///
/// Part of a [`Step`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
///
/// Part of a [`StepCall`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallText {
    /// The text.
    pub content: String,
    /// Whether the call did not do what was asked.
    pub is_error: bool,
}

impl CallText {
    /// What a call says that did not do what was asked.
    pub(super) fn error(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: true,
        }
    }
}

impl Step {
    /// A step of which nothing has run yet.
    #[must_use]
    pub fn asked(answer: AssistantMessage) -> Self {
        let calls = answer
            .tool_calls()
            .map(|call| StepCall {
                id: call.id,
                name: call.name.clone(),
                state: CallState::Asked,
                result: None,
                aborts: false,
            })
            .collect();
        Self { answer, calls }
    }
}

/// How far a run may go, and whether it was told to stop.
///
/// Shown at [`next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most model calls; below 1 counts as 1.
    pub max_steps: usize,
    /// How often in a row the same call may be asked for; 0 for as often as it likes.
    pub repeats: usize,
    /// Set once somebody stopped the run.
    pub stopped: bool,
    /// Set once a stop condition holds.
    pub condition_met: bool,
}

impl Bounds {
    /// How often in a row the same call is run before the model is asked to do without.
    pub const REPEATS: usize = 3;

    /// Bounds of steps alone.
    #[must_use]
    pub fn steps(max_steps: usize) -> Self {
        Self {
            max_steps,
            repeats: Self::REPEATS,
            stopped: false,
            condition_met: false,
        }
    }
}

/// What to do now.
///
/// Shown at [`next`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask the model.
    CallModel(Offer),
    /// Run these calls; they are asked for, or decided in favour.
    RunCalls(Vec<CallId>),
    /// Nothing, until something comes from outside.
    Wait,
    /// End these calls without running them.
    CloseCalls {
        /// The calls.
        calls: Vec<CallId>,
        /// Why they are not run.
        why: Closing,
    },
    /// End the run.
    Finish(Finish),
}

/// What a model is offered with the next asking.
///
/// Part of [`Next::CallModel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The tools of the run.
    Tools,
    /// None: it asked for the same again and again, and is to answer with what it has.
    Nothing,
}

/// Why a call is ended without being run.
///
/// Part of [`Next::CloseCalls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The run had taken its last step.
    StepLimit,
    /// The same call had been asked for too often in a row.
    Repeated,
    /// Another call of the step ended the run.
    Aborted,
    /// The run was stopped.
    Stopped,
}

impl Closing {
    /// The state that the call ends in.
    #[must_use]
    pub fn ending(self) -> CallState {
        match self {
            Self::StepLimit | Self::Repeated | Self::Aborted => CallState::NotStarted,
            Self::Stopped => CallState::Cancelled,
        }
    }

    /// What the model reads of it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::StepLimit => ending_text(CallState::NotStarted),
            Self::Repeated => {
                "Not started: this call was asked for again and again with the same arguments. Answer with what you know."
            }
            Self::Aborted => "Not started: the run was ended by another tool.",
            Self::Stopped => ending_text(CallState::Cancelled),
        }
    }
}

/// How a run ended.
///
/// Part of [`Next::Finish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model answered without asking for a tool.
    Answered,
    /// The last step that it may take still asked for tools.
    StepLimit,
    /// A stop condition held.
    Condition,
    /// Without any tools offered, the model asked for one all the same.
    Repeated,
    /// A tool ended it.
    Aborted,
    /// Somebody stopped it.
    Stopped,
}

/// What comes next.
///
/// ```
/// use toolcrib::agent::step::{Bounds, Closing, Finish, Next, Offer, Step, next};
/// use toolcrib::message::{AssistantMessage, AssistantPart, ToolCall};
///
/// assert_eq!(next(&[], Bounds::steps(5)), Next::CallModel(Offer::Tools));
/// let call = ToolCall::new("echo", "{}");
/// let step = Step::asked(AssistantMessage { parts: vec![AssistantPart::ToolCall(call.clone())] });
/// assert_eq!(next(&[step.clone()], Bounds::steps(5)), Next::RunCalls(vec![call.id]));
/// let close = Next::CloseCalls { calls: vec![call.id], why: Closing::StepLimit };
/// assert_eq!(next(&[step], Bounds::steps(1)), close);
/// let answered = Step::asked(AssistantMessage::says("Done."));
/// assert_eq!(next(&[answered], Bounds::steps(1)), Next::Finish(Finish::Answered));
/// ```
#[must_use]
pub fn next(steps: &[Step], bounds: Bounds) -> Next {
    let Some((last, before)) = steps.split_last() else {
        return if bounds.stopped {
            Next::Finish(Finish::Stopped)
        } else {
            Next::CallModel(Offer::Tools)
        };
    };
    if bounds.stopped {
        return stop(last);
    }
    if last.calls.is_empty() {
        return Next::Finish(Finish::Answered);
    }
    let at_limit = steps.len() >= bounds.max_steps.max(1);
    if let Some(close) = to_close(steps, bounds, at_limit) {
        return close;
    }
    let ready = in_states(last, |state| {
        matches!(state, CallState::Asked | CallState::Approved)
    });
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
    } else if is_stuck(before, bounds) {
        Next::Finish(Finish::Repeated)
    } else if bounds.condition_met {
        Next::Finish(Finish::Condition)
    } else if is_stuck(steps, bounds) {
        Next::CallModel(Offer::Nothing)
    } else {
        Next::CallModel(Offer::Tools)
    }
}

/// What is left to do once the run was stopped. A call that was handed out already ends by itself;
/// it is not called back.
fn stop(last: &Step) -> Next {
    let calls = in_states(last, |state| !state.is_ending() && !is_under_way(state));
    if !calls.is_empty() {
        return Next::CloseCalls {
            calls,
            why: Closing::Stopped,
        };
    }
    if last.calls.iter().any(|call| !call.state.is_ending()) {
        Next::Wait
    } else {
        Next::Finish(Finish::Stopped)
    }
}

/// The calls of the last step that are not to run. What a person decided in favour of runs also
/// on the last step.
fn to_close(steps: &[Step], bounds: Bounds, at_limit: bool) -> Option<Next> {
    let (last, before) = steps.split_last()?;
    let asked = in_states(last, |state| state == CallState::Asked);
    let (calls, why) = if last.calls.iter().any(|call| call.aborts) {
        let open = in_states(last, |state| !state.is_ending() && !is_under_way(state));
        (open, Closing::Aborted)
    } else if at_limit {
        (asked, Closing::StepLimit)
    } else if is_stuck(before, bounds) {
        (asked, Closing::Repeated)
    } else {
        let again = too_often(steps, bounds);
        let again = asked.into_iter().filter(|id| again.contains(id));
        (again.collect(), Closing::Repeated)
    };
    (!calls.is_empty()).then_some(Next::CloseCalls { calls, why })
}

/// Whether the last step asks for nothing but what was asked for too often.
fn is_stuck(steps: &[Step], bounds: Bounds) -> bool {
    let Some(last) = steps.last().filter(|last| !last.calls.is_empty()) else {
        return false;
    };
    let again = too_often(steps, bounds);
    last.calls.iter().all(|call| again.contains(&call.id))
}

/// The calls of the last step that were asked for more often in a row than they may be.
fn too_often(steps: &[Step], bounds: Bounds) -> HashSet<CallId> {
    if bounds.repeats == 0 {
        return HashSet::new();
    }
    repeated(steps, bounds.repeats.saturating_add(1))
}

fn in_states(step: &Step, wanted: impl Fn(CallState) -> bool) -> Vec<CallId> {
    step.calls
        .iter()
        .filter(|call| wanted(call.state))
        .map(|call| call.id)
        .collect()
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
    for at in 0..steps.len() {
        let Some((step, _)) = steps.get(..=at).and_then(<[Step]>::split_last) else {
            continue;
        };
        messages.push(Message::Assistant(step.answer.clone()));
        let results = results(steps.get(..=at).unwrap_or_default());
        messages.extend(results.into_iter().map(Message::Tool));
    }
    messages
}

/// The results of the last step, as a model reads them. One that repeats itself is told so.
///
/// Part of a [`transcript`].
#[must_use]
pub fn results(steps: &[Step]) -> Vec<ToolMessage> {
    results_within(steps, Bounds::REPEATS)
}

/// The results of the last step, where the same call may be asked for `repeats` times in a row; 0
/// for as often as the model likes.
pub(super) fn results_within(steps: &[Step], repeats: usize) -> Vec<ToolMessage> {
    let Some(last) = steps.last() else {
        return Vec::new();
    };
    let (mut at_limit, mut beyond) = (HashSet::new(), HashSet::new());
    // Where it may be asked for once, a warning would stand on every call.
    if repeats > 1 {
        at_limit = repeated(steps, repeats);
        beyond = repeated(steps, repeats.saturating_add(1));
    }
    let told = last.calls.iter().filter_map(|call| {
        let text = call.result.as_ref()?;
        let mut content = text.content.clone();
        if at_limit.contains(&call.id) && !beyond.contains(&call.id) {
            content.push_str(&warning(repeats));
        }
        Some(ToolMessage {
            call: call.id,
            name: call.name.clone(),
            content,
            is_error: text.is_error,
        })
    });
    told.collect()
}

/// Added to the result of a call that was asked for as often in a row as it may be.
fn warning(repeats: usize) -> String {
    let often = match repeats {
        2 => "twice in a row".to_owned(),
        3 => "three times in a row".to_owned(),
        more => format!("{more} times in a row"),
    };
    format!(
        "\n\n[You have now made this call with the same arguments {often}. It will not be run again: go on with what you know.]"
    )
}

/// What a model is told of a call that ended without the tool's own words.
///
/// Of a [`CallState`] that is no ending there is nothing to tell.
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
