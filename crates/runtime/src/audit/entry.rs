use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toolcrib::state::CallState;
use toolcrib_data::platform::audit::{AuditEvent, CallPayload, ERASED};

/// A transition in the chain. What people and tools wrote stands in it as a salted hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) seq: i64,
    pub(super) call: String,
    /// The number of the transition within the call.
    pub(super) n: i64,
    pub(super) state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting_for: Option<String>,
    pub(super) at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// With the first transition: who asked for what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Asked>,
    /// With an ending: what ran, with what, and what came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<Ended>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    asker: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    credential: Option<String>,
    tool: String,
    via: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<String>,
    pub(super) arguments: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ended {
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// Arguments that ran, result, error, and all else that is known of the call.
    pub(super) payload: String,
}

impl Entry {
    /// The entry of a transition; the call's row says who and what.
    pub(super) fn new(seq: i64, event: &AuditEvent, row: Option<&CallPayload>, salt: &str) -> Self {
        let first = event.number == 1;
        Self {
            seq,
            call: event.call.to_string(),
            n: event.number,
            state: event.state.clone(),
            waiting_for: event.waiting_for.clone(),
            at: event.at,
            by: event.by.map(|by| by.to_string()),
            reason: event
                .reason
                .as_deref()
                .map(|reason| hash(salt, &[Some(reason)])),
            asked: row.filter(|_| first).map(|row| Asked::new(row, salt)),
            ended: row
                .filter(|_| is_ending(event))
                .map(|row| Ended::new(row, salt)),
        }
    }

    /// Whether it says that the payload was erased.
    pub(super) fn is_erasure(&self) -> bool {
        self.waiting_for.as_deref() == Some(ERASED)
    }

    /// Whether it is the same transition, apart from what the call's row says.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        let same = (&self.call, self.n, &self.state, &self.waiting_for)
            == (&other.call, other.n, &other.state, &other.waiting_for);
        same && (self.at, &self.by) == (other.at, &other.by)
    }
}

fn is_ending(event: &AuditEvent) -> bool {
    let state = CallState::parse(&event.state, event.waiting_for.as_deref());
    state.is_ok_and(CallState::is_ending)
}

impl Asked {
    pub(super) fn new(row: &CallPayload, salt: &str) -> Self {
        Self {
            asker: row.asker.clone(),
            credential: row.credential.clone(),
            tool: row.tool.clone(),
            via: row.via.clone(),
            agent: row.agent.clone(),
            conversation: row.conversation.clone(),
            arguments: hash(salt, &[Some(&row.arguments_asked)]),
        }
    }

    /// Whether it says the same, whatever was asked with.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let mut other = other.clone();
        other.arguments.clone_from(&self.arguments);
        *self == other
    }
}

impl Ended {
    pub(super) fn new(row: &CallPayload, salt: &str) -> Self {
        let times = format!("{:?} {:?} {:?}", row.asked_at, row.started_at, row.ended_at);
        let parts = [
            row.arguments.as_deref(),
            row.result.as_deref(),
            row.error.as_deref(),
            row.trial.as_deref(),
            Some(&row.state),
            Some(&row.title),
            row.level.as_deref(),
            row.kind.as_deref(),
            row.arguments_hash.as_deref(),
            row.repairs.as_deref(),
            row.tags.as_deref(),
            row.handle.as_deref(),
            row.run.as_deref(),
            row.provider_call_id.as_deref(),
            row.idempotency_key.as_deref(),
            Some(&times),
        ];
        Self {
            version: row.version,
            digest: row.digest.clone(),
            payload: hash(salt, &parts),
        }
    }
}

fn hash(salt: &str, parts: &[Option<&str>]) -> String {
    let mut digest = Sha256::new();
    digest.update(u64::try_from(salt.len()).unwrap_or(0).to_be_bytes());
    digest.update(salt);
    for part in parts {
        // Nothing is not the same as an empty text.
        let length = part.map_or(u64::MAX, |part| u64::try_from(part.len()).unwrap_or(0));
        digest.update(length.to_be_bytes());
        digest.update(part.unwrap_or_default());
    }
    hex::encode(digest.finalize())
}
