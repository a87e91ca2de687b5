//! The audit, for administrators.

pub(crate) mod calls;
pub(crate) mod chain;
pub(crate) mod erase;
pub(crate) mod export;
pub(crate) mod people;
pub(crate) mod read;
pub(crate) mod verify;

use jiff::Timestamp;
use serde::Deserialize;
use toolcrib::state::CallState;
use toolcrib_data::platform::calls::{CallFilter, Outcome};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Code};

/// How calls ended.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OutcomeQuery {
    /// Without doing what was asked.
    NotDone,
}

/// Which calls.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Only calls in this state.
    status: Option<String>,
    /// `notDone`: only calls that ended without doing what was asked.
    outcome: Option<OutcomeQuery>,
    /// Only calls of this tool.
    tool: Option<String>,
    /// Only calls on behalf of this user.
    user_id: Option<String>,
    /// Only calls of this agent.
    agent: Option<String>,
    /// Only calls that came in this way: `chat`, `api` or `cli`.
    via: Option<String>,
    /// Only calls of this conversation.
    conversation_id: Option<String>,
    /// Only calls asked from then on, RFC 3339.
    from: Option<String>,
    /// Only calls asked before then, RFC 3339.
    to: Option<String>,
    /// Only calls with this text in their error, or in the reason of a decision.
    text: Option<String>,
}

impl AuditQuery {
    fn filter(self) -> Result<CallFilter, ApiError> {
        let wrong = |what: &str| ApiError::new(Code::InvalidRequest, what);
        if let Some(status) = &self.status
            && !CallState::NAMES.contains(&status.as_str())
        {
            let names = CallState::NAMES.join(", ");
            return Err(wrong(&format!("status is one of: {names}.")));
        }
        let time = |text: Option<String>, name: &str| match text.filter(|text| !text.is_empty()) {
            None => Ok(None),
            Some(text) => match text.parse::<Timestamp>() {
                Ok(at) => Ok(Some(at.as_microsecond())),
                Err(_) => Err(wrong(&format!(
                    "{name} is a time such as 2026-01-31T14:30:00Z."
                ))),
            },
        };
        let via = self.via.map(|via| via.parse()).transpose();
        let asker = self.user_id.map(|id| id.parse()).transpose();
        let conversation = self.conversation_id.map(|id| id.parse()).transpose();
        Ok(CallFilter {
            asker: asker.map_err(|_| wrong("userId is the id of a user."))?,
            state: self.status,
            tool: self.tool,
            conversation: conversation
                .map_err(|_| wrong("conversationId is the id of a conversation."))?,
            agent: self.agent,
            via: via.map_err(|_| wrong("via is chat, api or cli."))?,
            from: time(self.from, "from")?,
            to: time(self.to, "to")?,
            text: self.text.filter(|text| !text.is_empty()),
            outcome: match self.outcome {
                Some(OutcomeQuery::NotDone) => Outcome::NotDone,
                None => Outcome::Any,
            },
        })
    }
}
