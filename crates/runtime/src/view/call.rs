use serde::Serialize;
use serde_json::Value;
use toolcrib::state::CallState;
use toolcrib_counter::HookNote;
use toolcrib_data::platform::approvals::ApprovalRow;
use toolcrib_data::platform::calls::{CallEvent, CallRow};
use toolcrib_data::platform::withheld::WithheldRow;
use toolcrib_data::records::Withheld;
use utoipa::ToSchema;

use super::time;
use crate::ApprovalView;

/// A person, by id and name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Person {
    /// The user's id.
    pub id: String,
    /// The name for people.
    pub name: String,
}

/// One request to run a tool.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallView {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The version of the tool that ran.
    pub tool_version: Option<i64>,
    /// What the call did, in a few words.
    pub title: String,
    /// The same in the past tense, where the tool has it.
    pub title_done: Option<String>,
    /// The safety level.
    pub level: Option<String>,
    /// The state.
    pub status: String,
    /// What a waiting call waits for.
    pub waiting_for: Option<String>,
    /// The arguments; none where they could not be read.
    #[schema(value_type = Option<Object>)]
    pub arguments: Option<Value>,
    /// The result.
    #[schema(value_type = Option<Object>)]
    pub output: Option<Value>,
    /// Why it did not succeed.
    pub error: Option<String>,
    /// Whether the result is drawn for the reader.
    pub shown: bool,
    /// When it was asked.
    pub started_at: String,
    /// When it ended.
    pub ended_at: Option<String>,
    /// How long the tool took, in milliseconds.
    pub duration_ms: Option<f64>,
    /// On whose behalf.
    pub asker: Person,
    /// The agent that asked.
    pub agent: Option<String>,
    /// The conversation.
    pub conversation_id: Option<String>,
    /// How it came in.
    pub via: String,
    /// Set for a trial, which changed nothing: `wouldChange` is what it would have changed, as a
    /// card shows it.
    #[schema(value_type = Option<Object>)]
    pub trial: Option<Value>,
    /// What hooks did around it: `hook`, `moment` (`before`, `after`), `outcome` (`changed`, `left`, `failed`)
    /// and, of one that failed, the `error`.
    #[schema(value_type = Vec<Object>)]
    pub hooks: Vec<HookNote>,
    /// The decision it waits for, or waited for.
    pub approval: Option<ApprovalView>,
}

/// One transition of a call.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CallEventView {
    /// The state it came into.
    pub state: String,
    /// When.
    pub at: String,
    /// Who made it so.
    pub by: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// What of a call's result was kept from a provider's language models.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WithheldView {
    /// The provider.
    pub provider: String,
    /// How many values of which fields, by `model.field`.
    #[schema(value_type = Object)]
    pub fields: Withheld,
    /// When it was first so.
    pub at: String,
}

/// A call with its whole story.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CallStory {
    #[serde(flatten)]
    /// The call.
    pub call: CallView,
    /// What happened to it, in order.
    pub events: Vec<CallEventView>,
    /// What of its result was kept from language models.
    pub withheld: Vec<WithheldView>,
}

/// A call as one line in the chat.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallLine {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// What the call does, in a few words.
    pub title: String,
    /// The state.
    pub status: String,
    /// How long the tool took, in milliseconds.
    pub duration_ms: Option<f64>,
    /// Whether the result is drawn for the reader.
    pub shown: bool,
    /// The decision it waits for, or waited for.
    pub approval_id: Option<String>,
    /// Why it did not succeed.
    pub error: Option<String>,
}

impl CallView {
    pub(crate) fn new(row: &CallRow, asker: Person, approval: Option<ApprovalView>) -> Self {
        let found = row.found.as_ref();
        Self {
            id: row.id.to_string(),
            tool: row.tool.clone(),
            tool_version: found.map(|found| found.version),
            title: row.title.clone(),
            title_done: None,
            level: found.map(|found| found.level.clone()),
            status: row.state.name().to_owned(),
            waiting_for: row.state.waiting_for().map(|what| what.name().to_owned()),
            arguments: arguments(row),
            output: output(row),
            error: row.error.clone(),
            shown: row.shown,
            started_at: time(row.asked_at),
            ended_at: row.ended_at.map(time),
            duration_ms: duration(row),
            asker,
            agent: row.agent.clone(),
            conversation_id: row.conversation.map(|id| id.to_string()),
            via: row.via.name().to_owned(),
            trial: row.trial.as_deref().map(tried),
            hooks: row
                .hooks
                .as_deref()
                .and_then(|hooks| serde_json::from_str(hooks).ok())
                .unwrap_or_default(),
            approval,
        }
    }
}

impl CallLine {
    pub(crate) fn new(row: &CallRow, approval: Option<&ApprovalRow>) -> Self {
        Self {
            id: row.id.to_string(),
            tool: row.tool.clone(),
            title: row.title.clone(),
            status: row.state.name().to_owned(),
            duration_ms: duration(row),
            shown: row.shown,
            approval_id: approval.map(|approval| approval.id.to_string()),
            error: row.error.clone(),
        }
    }
}

impl WithheldView {
    pub(crate) fn new(row: &WithheldRow) -> Self {
        Self {
            provider: row.provider.clone(),
            fields: row.fields.clone(),
            at: time(row.at),
        }
    }
}

impl CallEventView {
    pub(crate) fn new(event: &CallEvent, by: Option<String>) -> Self {
        Self {
            state: event.state.name().to_owned(),
            at: time(event.at),
            by,
            reason: event.reason.clone(),
        }
    }
}

/// The arguments that run, else those asked for, if they are JSON at all.
pub(crate) fn arguments(row: &CallRow) -> Option<Value> {
    let text = row.arguments.as_deref().unwrap_or(&row.arguments_asked);
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// What a trial would have changed. The ids that are stored beside it are for later calls of its run.
fn tried(stored: &str) -> Value {
    let mut trial: Value = serde_json::from_str(stored).unwrap_or_default();
    if let Some(parts) = trial.as_object_mut() {
        parts.retain(|part, _| part != "newIds");
    }
    trial
}

pub(crate) fn output(row: &CallRow) -> Option<Value> {
    // What a hook has still to look at is nobody's yet.
    if row.state != CallState::Succeeded {
        return None;
    }
    let mut stored: Value = serde_json::from_str(row.result.as_deref()?).ok()?;
    stored.get_mut("output").map(Value::take)
}

/// From the tool's beginning to the end, in milliseconds with three decimals.
#[expect(
    clippy::cast_precision_loss,
    reason = "microseconds of one call are far below 2^52"
)]
fn duration(row: &CallRow) -> Option<f64> {
    let (begun, ended) = (row.started_at?, row.ended_at?);
    Some((ended - begun).max(0) as f64 / 1000.0)
}
