//! Runs one call: with a deadline, within reach of a stop, and safe from a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use futures_util::FutureExt;

use super::options::Options;
use super::step::{CallText, ending_text};
use crate::message::ToolCall;
use crate::state::{CallState, WaitingFor};
use crate::tool::context::Resume;
use crate::tool::error::BROKE_DOWN;
use crate::toolset::ExecuteError;
use crate::{ToolContext, ToolResult, Tools, telemetry};

/// Where a call stands after it was handed out.
pub(super) enum Outcome {
    /// It ended.
    Ended(CallState, CallText),
    /// It waits for somebody.
    Waits {
        what: WaitingFor,
        question: String,
        agent: Option<String>,
        state: serde_json::Value,
    },
    /// It ends the run.
    Aborts(String),
    /// Nobody runs it.
    MissingExecutor(String),
}

impl Outcome {
    fn failed(content: impl Into<String>) -> Self {
        Self::ended(CallState::Failed, content)
    }

    fn ended(state: CallState, content: impl Into<String>) -> Self {
        let text = CallText {
            content: content.into(),
            is_error: state != CallState::Succeeded,
        };
        Self::Ended(state, text)
    }
}

/// What a call is run with besides its arguments.
pub(super) struct Permit {
    pub(super) approved: bool,
    pub(super) resume: Option<Resume>,
}

pub(super) async fn run(
    call: &ToolCall,
    permit: Permit,
    tools: &impl Tools,
    options: &Options,
) -> Outcome {
    if call.cut {
        return Outcome::ended(
            CallState::NotStarted,
            "Not started: the output limit cut this call off. Ask again, with less text.",
        );
    }
    // The tool's own token: a stop reaches it, and so does its deadline.
    let cancel = options.cancel.child_token();
    let context = ToolContext {
        call: call.id,
        cancel: cancel.clone(),
        approved: permit.approved,
        resume: permit.resume,
    };
    // Where the whole run is dropped, what the tool began elsewhere is told.
    let dropped = cancel.clone().drop_guard();
    let is_read_only = is_read_only(tools, &call.name);
    let span = telemetry::tool_span(call);
    // Asked for inside, so that a set which breaks before it has a future is caught as well.
    let running = async { tools.execute(&call.name, &call.arguments, &context).await };
    let running = AssertUnwindSafe(running);
    let running = tracing::Instrument::instrument(running.catch_unwind(), span);
    tokio::pin!(running);
    let ended = tokio::select! {
        biased;
        result = &mut running => {
            dropped.disarm();
            return settled(result);
        }
        () = options.cancel.cancelled() => CallState::Cancelled,
        () = after(options.call_timeout) => CallState::Failed,
    };
    cancel.cancel();
    // It may end by itself now; what it has done by then counts.
    match tokio::time::timeout(options.stop_deadline, &mut running).await {
        Ok(result) => settled(result),
        Err(_) => given_up(ended, is_read_only, options.call_timeout),
    }
}

/// Whether a tool changes nothing; one that breaks over the question may change anything.
pub(super) fn is_read_only(tools: &impl Tools, name: &str) -> bool {
    catch_unwind(AssertUnwindSafe(|| tools.is_read_only(name))).unwrap_or(false)
}

async fn after(timeout: Option<Duration>) {
    match timeout {
        Some(timeout) => tokio::time::sleep(timeout).await,
        None => std::future::pending().await,
    }
}

/// A call that was dropped on the way: one that only reads has simply not happened, of another
/// nobody knows.
fn given_up(ended: CallState, is_read_only: bool, timeout: Option<Duration>) -> Outcome {
    let seconds = timeout.unwrap_or_default().as_secs_f64();
    match (ended, is_read_only) {
        (CallState::Cancelled, true) => Outcome::ended(
            CallState::Cancelled,
            "Cancelled: the run was stopped while this call ran.",
        ),
        (CallState::Cancelled, false) => Outcome::ended(
            CallState::Unknown,
            "The outcome is unknown: the run was stopped while this call was under way. It may have happened. Do not simply repeat it; check first.",
        ),
        (_, true) => Outcome::failed(format!("Timed out after {seconds} s.")),
        (_, false) => Outcome::ended(
            CallState::Unknown,
            format!(
                "The outcome is unknown: timed out after {seconds} s. It may have happened. Do not simply repeat it; check first."
            ),
        ),
    }
}

type Caught = Result<Result<ToolResult, ExecuteError>, Box<dyn std::any::Any + Send>>;

fn settled(caught: Caught) -> Outcome {
    let result = match caught {
        Err(_) => return Outcome::failed(BROKE_DOWN),
        Ok(Err(ExecuteError::UnknownTool(text))) => return Outcome::failed(text),
        Ok(Err(ExecuteError::MissingExecutor(name))) => return Outcome::MissingExecutor(name),
        Ok(Ok(result)) => result,
    };
    let waits = |what, question, agent, state| Outcome::Waits {
        what,
        question,
        agent,
        state,
    };
    let nothing = serde_json::Value::Null;
    match result {
        ToolResult::Success { output, .. } => {
            Outcome::ended(CallState::Succeeded, ToolResult::output_text(&output))
        }
        ToolResult::Failure { message } if message.is_empty() => {
            Outcome::failed(ending_text(CallState::Failed))
        }
        ToolResult::Failure { message } => Outcome::failed(message),
        ToolResult::NeedsApproval { question } => {
            waits(WaitingFor::Approval, question, None, nothing)
        }
        ToolResult::NeedsAnswer { question, state } => {
            waits(WaitingFor::Answer, question, None, state)
        }
        ToolResult::Consult { agent, prompt } => {
            waits(WaitingFor::Run, prompt, Some(agent), nothing)
        }
        ToolResult::ClientSide => waits(WaitingFor::Client, String::new(), None, nothing),
        ToolResult::Abort { reason } => Outcome::Aborts(reason),
    }
}
