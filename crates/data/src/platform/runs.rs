//! Runs, their leases, and their steps.

mod lease;
mod lock;
mod steps;

use std::str::FromStr;

use serde_json::Value;
use toolcrib::id::{ConversationId, CredentialId, OrgId, RunId, UserId};

pub use lease::{
    Lease, Standing, claim, free_all, holds, is_current, recoverable, release, renew, standing,
};
pub use lock::{lock, lock_open};
pub use steps::{StepRow, insert_step, steps};

use super::row::{parsed, parsed_opt};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// One turn of an agent.
#[derive(Clone, Debug)]
pub struct RunRow {
    /// The organisation.
    pub org: OrgId,
    /// The run.
    pub id: RunId,
    /// The conversation.
    pub conversation: ConversationId,
    /// Its place in the conversation; messages share the numbering.
    pub seq: i64,
    /// The agent.
    pub agent: String,
    /// On whose behalf.
    pub asker: UserId,
    /// The session or token that asked.
    pub credential: Option<CredentialId>,
    /// The message that it answers with, as clients name it.
    pub message_id: String,
    /// Where it stands.
    pub state: RunState,
    /// How often a lease was taken.
    pub epoch: i64,
    /// Whether somebody asked it to stop.
    pub stop_requested: bool,
    /// How it ended.
    pub finish: Option<Value>,
    /// When it began.
    pub created_at: i64,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Somebody works on it, or should.
    Active,
    /// Stands still until something comes from outside.
    Waiting,
    /// Ended with an answer, or at a limit.
    Done,
    /// Ended without.
    Failed,
    /// Ended by a stop, or by the asker's next message.
    Stopped,
}

impl RunState {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    /// Whether it goes on.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Active | Self::Waiting)
    }
}

/// A name that is no state.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a state of a run")]
pub struct UnknownRunState(String);

impl FromStr for RunState {
    type Err = UnknownRunState;

    fn from_str(name: &str) -> Result<Self, UnknownRunState> {
        Ok(match name {
            "active" => Self::Active,
            "waiting" => Self::Waiting,
            "done" => Self::Done,
            "failed" => Self::Failed,
            "stopped" => Self::Stopped,
            _ => return Err(UnknownRunState(name.to_owned())),
        })
    }
}

fn read_row(row: &Row) -> Result<RunRow, StoreError> {
    let finish: Option<&str> = row.try_get("finish")?;
    Ok(RunRow {
        org: parsed(row, "org_id")?,
        id: parsed(row, "id")?,
        conversation: parsed(row, "conversation_id")?,
        seq: row.try_get("seq")?,
        agent: row.try_get("agent")?,
        asker: parsed(row, "asker_id")?,
        credential: parsed_opt(row, "credential_id")?,
        message_id: row.try_get("message_id")?,
        state: parsed(row, "state")?,
        epoch: row.try_get("epoch")?,
        stop_requested: row.try_get("stop_requested")?,
        finish: finish
            .map(serde_json::from_str)
            .transpose()
            .map_err(|source| StoreError::Stored {
                what: "finish",
                source,
            })?,
        created_at: row.try_get("created_at")?,
    })
}

/// Begins a run. Answers whether the conversation had no other under way.
///
/// # Errors
/// When the database fails.
pub async fn insert(unit: &mut Unit, run: &RunRow) -> Result<bool, StoreError> {
    let written = sql(
        "INSERT INTO tc_runs (org_id, id, conversation_id, seq, agent, asker_id, credential_id, message_id, state, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) ON CONFLICT DO NOTHING",
    )
    .bind(run.org.to_string())
    .bind(run.id.to_string())
    .bind(run.conversation.to_string())
    .bind(run.seq)
    .bind(&run.agent)
    .bind(run.asker.to_string())
    .bind(run.credential.map(|id| id.to_string()))
    .bind(&run.message_id)
    .bind(run.state.name())
    .bind(run.created_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// The run of that id.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: RunId,
) -> Result<Option<RunRow>, StoreError> {
    let row = sql("SELECT * FROM tc_runs WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// The runs of a conversation, in order.
///
/// # Errors
/// When the database fails.
pub async fn of_conversation(
    from: &mut impl ReadFrom,
    org: OrgId,
    conversation: ConversationId,
) -> Result<Vec<RunRow>, StoreError> {
    let rows = sql("SELECT * FROM tc_runs WHERE org_id = $1 AND conversation_id = $2 ORDER BY seq")
        .bind(org.to_string())
        .bind(conversation.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_row).collect()
}

/// Asks a run to stop.
///
/// # Errors
/// When the database fails.
pub async fn request_stop(unit: &mut Unit, org: OrgId, id: RunId) -> Result<(), StoreError> {
    sql("UPDATE tc_runs SET stop_requested = true WHERE org_id = $1 AND id = $2 AND state IN ('active', 'waiting')")
        .bind(org.to_string())
        .bind(id.to_string())
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// Makes a waiting run active again, so that somebody takes it up. Answers whether it waited.
///
/// # Errors
/// When the database fails.
pub async fn wake(unit: &mut Unit, org: OrgId, id: RunId, now: i64) -> Result<bool, StoreError> {
    // Whoever is about to let it wait does so first, or sees what woke it.
    lock(unit, org, id).await?;
    let woken = sql(
        "UPDATE tc_runs SET state = 'active', updated_at = $3 WHERE org_id = $1 AND id = $2 AND state = 'waiting'",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(woken.rows_affected() == 1)
}

/// Takes a failed run up again, from its last good step. Answers whether it had failed.
///
/// # Errors
/// When the database fails.
pub async fn retry(unit: &mut Unit, org: OrgId, id: RunId, now: i64) -> Result<bool, StoreError> {
    let again = sql(
        "UPDATE tc_runs SET state = 'active', finish = NULL, updated_at = $3 WHERE org_id = $1 AND id = $2 AND state = 'failed'",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(again.rows_affected() == 1)
}
