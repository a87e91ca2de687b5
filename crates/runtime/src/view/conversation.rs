use serde::Serialize;
use serde_json::{Value, json};
use toolcrib::message::AssistantPart;
use toolcrib::state::CallState;
use toolcrib_data::platform::conversations::{ConversationRow, MessageRow};
use utoipa::ToSchema;

use super::call::{arguments, output};
use super::time;
use crate::run::state::{LoadedCall, LoadedRun};
use crate::stream::part_id;
use crate::{ApprovalView, CallLine};

/// A conversation, by id and title.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConversationRef {
    /// The conversation's id.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// A conversation in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationView {
    /// The conversation's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The agent it is held with.
    pub agent: String,
    /// When something last happened in it.
    pub updated_at: String,
    /// `idle`, `running` or `waiting`.
    pub state: String,
}

/// A message as the UI message stream's clients keep it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UiMessage {
    /// The message's id.
    pub id: String,
    /// `user` or `assistant`.
    pub role: String,
    /// Text, reasoning, tool calls and data.
    #[schema(value_type = Vec<Object>)]
    pub parts: Vec<Value>,
    /// Facts about the message.
    #[schema(value_type = Object)]
    pub metadata: Value,
}

impl ConversationView {
    pub(crate) fn new(row: &ConversationRow) -> Self {
        let state = match row.run_state.as_deref() {
            Some("active") => "running",
            Some("waiting") => "waiting",
            _ => "idle",
        };
        Self {
            id: row.id.to_string(),
            title: row.title.clone(),
            agent: row.agent.clone(),
            updated_at: time(row.updated_at),
            state: state.to_owned(),
        }
    }
}

impl UiMessage {
    pub(crate) fn user(row: &MessageRow) -> Self {
        Self {
            id: row.id.clone(),
            role: "user".to_owned(),
            parts: vec![json!({"type": "text", "text": row.text})],
            metadata: json!({"createdAt": time(row.created_at)}),
        }
    }

    /// The answer of a run, as far as it has come.
    pub(crate) fn assistant(run: &LoadedRun, approvals: &[ApprovalView]) -> Self {
        let mut parts = Vec::new();
        parts.extend(
            run.trial_notice()
                .map(|notice| json!({"type": "data-notice", "id": "trial", "data": notice})),
        );
        for (number, step) in run.steps.iter().enumerate() {
            // Its parts have the ids that they have in the stream.
            let id = |kind: &str| part_id(run.row.id, (number, step.row.epoch), kind);
            parts.push(json!({"type": "step-start"}));
            for part in &step.row.answer.message.parts {
                match part {
                    AssistantPart::Text { text, .. } | AssistantPart::Refusal { text } => {
                        parts.push(json!({"type": "text", "id": id("text"), "text": text, "state": "done"}));
                    }
                    AssistantPart::Reasoning { text, .. } if !text.is_empty() => {
                        parts.push(json!({"type": "reasoning", "id": id("reasoning"), "text": text, "state": "done"}));
                    }
                    AssistantPart::Reasoning { .. } | AssistantPart::ToolCall(_) => {}
                }
            }
            for call in &step.calls {
                let view = approvals
                    .iter()
                    .find(|view| view.call_id == call.row.id.to_string());
                parts.push(tool_part(call, view));
                parts.push(json!({"type": "data-call", "id": call.row.id, "data": CallLine::new(&call.row, call.approval.as_ref())}));
                parts.extend(
                    view.map(|view| json!({"type": "data-approval", "id": view.id, "data": view})),
                );
            }
        }
        parts.extend(
            run.notice()
                .map(|notice| json!({"type": "data-notice", "id": "notice", "data": notice})),
        );
        Self {
            id: run.row.message_id.clone(),
            role: "assistant".to_owned(),
            parts,
            metadata: json!({
                "conversationId": run.row.conversation, "runId": run.row.id, "state": run.row.state.name(),
                "createdAt": time(run.row.created_at),
            }),
        }
    }
}

fn tool_part(call: &LoadedCall, approval: Option<&ApprovalView>) -> Value {
    let row = &call.row;
    let state = match row.state {
        CallState::Succeeded => "output-available",
        CallState::Rejected | CallState::Expired => "output-denied",
        CallState::Waiting(_) => "approval-requested",
        CallState::Approved => "approval-responded",
        CallState::Asked | CallState::Running | CallState::Ran => "input-available",
        CallState::Failed
        | CallState::Refused
        | CallState::Superseded
        | CallState::Cancelled
        | CallState::NotStarted
        | CallState::Unknown => "output-error",
    };
    let mut part = json!({
        "type": "dynamic-tool", "toolName": row.tool, "toolCallId": row.id, "title": row.title, "state": state,
        "providerExecuted": true, "input": arguments(row).unwrap_or_else(|| json!({})),
    });
    if state == "output-available" {
        part["output"] = output(row).unwrap_or_default();
    }
    if state == "output-error" {
        part["errorText"] = row.error.clone().unwrap_or_default().into();
    }
    if let Some(approval) = approval {
        part["approval"] = json!({"id": approval.id});
        if matches!(
            approval.status.as_str(),
            "approved" | "rejected" | "change_requested"
        ) {
            part["approval"]["approved"] = (approval.status == "approved").into();
            part["approval"]["reason"] = approval.reason.clone().into();
        }
    }
    part
}
