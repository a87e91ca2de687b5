use serde::Serialize;
use serde_json::Value;
use toolcrib_data::platform::approvals::{ApprovalRow, ApprovalStatus};
use utoipa::ToSchema;

use super::time;
use crate::{ConversationRef, Person};

/// A decision that a call waits for, or that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalView {
    /// The approval's id.
    pub id: String,
    /// The call that waits.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// Where it stands.
    pub status: String,
    /// The hash that a decision has to name.
    pub arguments_hash: String,
    /// When it was asked.
    pub created_at: String,
    /// When it lapses.
    pub expires_at: String,
    /// When it was decided.
    pub decided_at: Option<String>,
    /// Who decided.
    pub decider: Option<Person>,
    /// The reason given.
    pub reason: Option<String>,
    /// Whether the reader may decide it now.
    pub may_decide: bool,
    /// Whether the arguments may be edited by who decides.
    pub may_edit: bool,
    /// Whether the reader may decide for later calls too.
    pub may_grant: bool,
    /// The roles whose members decide; the asker, where there are none.
    pub approver_roles: Vec<String>,
    /// The arguments that it was asked with, where they were edited.
    #[schema(value_type = Option<Object>)]
    pub arguments_before: Option<Value>,
    /// Who asked.
    pub asker: Person,
    /// The conversation that the call belongs to.
    pub conversation: Option<ConversationRef>,
    /// The agent that asked.
    pub agent: Option<String>,
    /// What the card shows.
    #[schema(value_type = Object)]
    pub card: Value,
}

/// What an approval's view takes from other rows.
#[derive(Debug)]
pub(crate) struct ApprovalAround {
    pub(crate) tool: String,
    pub(crate) decides: bool,
    pub(crate) grants: bool,
    pub(crate) agent: Option<String>,
    pub(crate) asker: Person,
    pub(crate) decider: Option<Person>,
    pub(crate) conversation: Option<ConversationRef>,
}

impl ApprovalView {
    pub(crate) fn new(row: &ApprovalRow, around: ApprovalAround) -> Self {
        Self {
            id: row.id.to_string(),
            call_id: row.call.to_string(),
            tool: around.tool,
            status: row.status.name().to_owned(),
            arguments_hash: row.arguments_hash.clone(),
            created_at: time(row.created_at),
            expires_at: time(row.expires_at),
            decided_at: row.decided_at.map(time),
            decider: around.decider,
            reason: row.reason.clone(),
            may_decide: row.status == ApprovalStatus::Pending && around.decides,
            may_edit: row.terms.edit,
            may_grant: around.grants,
            approver_roles: row.terms.approver_roles.clone(),
            arguments_before: row
                .arguments_before
                .as_deref()
                .and_then(|text| serde_json::from_str(text).ok()),
            asker: around.asker,
            conversation: around.conversation,
            agent: around.agent,
            card: row.card.clone(),
        }
    }
}
