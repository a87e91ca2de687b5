//! Rows as chunks: what a reader who comes late is told first.

use serde_json::{Value, json};
use toolcrib::message::AssistantPart;
use toolcrib::state::CallState;

use super::state::{LoadedCall, LoadedRun, LoadedStep};
use crate::stream::{Chunk, ToolPart, part_id};
use crate::view::call::{arguments, output};
use crate::{ApprovalView, CallLine};

/// The first chunk of a run.
pub(crate) fn start(run: &LoadedRun) -> Chunk {
    Chunk::Start {
        message_id: run.row.message_id.clone(),
        message_metadata: json!({"conversationId": run.row.conversation, "runId": run.row.id}),
    }
}

/// All that is known of a run's steps.
pub(crate) fn steps(run: &LoadedRun, approvals: &[ApprovalView]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (number, step) in run.steps.iter().enumerate() {
        chunks.push(Chunk::StartStep);
        chunks.extend(text(run, number, step));
        for call in &step.calls {
            chunks.push(begun(call));
            chunks.extend(asked(call));
            chunks.extend(now(call, approvals));
        }
        let is_last = number + 1 == run.steps.len();
        if !is_last || step.calls.iter().all(|call| call.row.state.is_ending()) {
            chunks.push(Chunk::FinishStep);
        }
    }
    chunks
}

fn text(run: &LoadedRun, number: usize, step: &LoadedStep) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let number = (number, step.row.epoch);
    for part in &step.row.answer.message.parts {
        match part {
            AssistantPart::Text { text, .. } | AssistantPart::Refusal { text } => {
                let id = part_id(run.row.id, number, "text");
                chunks.push(Chunk::TextStart { id: id.clone() });
                chunks.push(Chunk::TextDelta {
                    id: id.clone(),
                    delta: text.clone(),
                });
                chunks.push(Chunk::TextEnd { id });
            }
            AssistantPart::Reasoning { text, .. } if !text.is_empty() => {
                let id = part_id(run.row.id, number, "reasoning");
                chunks.push(Chunk::ReasoningStart { id: id.clone() });
                chunks.push(Chunk::ReasoningDelta {
                    id: id.clone(),
                    delta: text.clone(),
                });
                chunks.push(Chunk::ReasoningEnd { id });
            }
            AssistantPart::Reasoning { .. } | AssistantPart::ToolCall(_) => {}
        }
    }
    chunks
}

fn part(call: &LoadedCall) -> ToolPart {
    ToolPart::new(&call.row.id.to_string(), &call.row.tool, &call.row.title)
}

/// A call begins.
pub(crate) fn begun(call: &LoadedCall) -> Chunk {
    Chunk::ToolInputStart(part(call))
}

/// A call's arguments, once they are whole.
pub(crate) fn asked(call: &LoadedCall) -> Vec<Chunk> {
    vec![Chunk::ToolInputAvailable {
        part: part(call),
        input: arguments(&call.row).unwrap_or_else(|| json!({})),
    }]
}

/// Where a call stands now.
pub(crate) fn now(call: &LoadedCall, approvals: &[ApprovalView]) -> Vec<Chunk> {
    let id = call.row.id.to_string();
    let line = serde_json::to_value(CallLine::new(&call.row, call.approval.as_ref()))
        .unwrap_or(Value::Null);
    let mut chunks = vec![Chunk::DataCall {
        id: id.clone(),
        data: line,
    }];
    if let Some(view) = approvals.iter().find(|view| view.call_id == id) {
        if call.row.state.waiting_for().is_some() {
            chunks.push(Chunk::ToolApprovalRequest {
                approval_id: view.id.clone(),
                tool_call_id: id.clone(),
            });
        }
        let data = serde_json::to_value(view).unwrap_or(Value::Null);
        chunks.push(Chunk::DataApproval {
            id: view.id.clone(),
            data,
        });
    }
    match call.row.state {
        CallState::Succeeded => chunks.push(Chunk::ToolOutputAvailable {
            tool_call_id: id,
            output: output(&call.row).unwrap_or(Value::Null),
            dynamic: true,
            provider_executed: true,
        }),
        CallState::Rejected | CallState::Expired => {
            chunks.push(Chunk::ToolOutputDenied { tool_call_id: id });
        }
        state if state.is_ending() => chunks.push(Chunk::ToolOutputError {
            tool_call_id: id,
            error_text: call.row.error.clone().unwrap_or_default(),
            dynamic: true,
            provider_executed: true,
        }),
        _ => {}
    }
    chunks
}
