//! Calls and their events.

mod activity;
mod change;
mod list;
mod write;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toolcrib::id::{CallId, ConversationId, CredentialId, OrgId, RunId, UserId};
use toolcrib::state::CallState;

pub use activity::{ActivityRow, Written, forget_model, note_written, of_record};
pub use change::{CallChange, transition};
pub use list::{CallFilter, Outcome, ToolStats, list, stats};
pub(crate) use write::Around;
pub use write::{CallRows, insert};

use super::row::{decode, parsed, parsed_opt};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// One request to run a tool, as it is stored.
#[derive(Clone, Debug)]
pub struct CallRow {
    /// The organisation.
    pub org: OrgId,
    /// The call.
    pub id: CallId,
    /// Its place in a run, if a run asked.
    pub place: Option<Place>,
    /// The provider's own id of the call.
    pub provider_call_id: Option<String>,
    /// The conversation it belongs to.
    pub conversation: Option<ConversationId>,
    /// The agent that asked.
    pub agent: Option<String>,
    /// How the call came in.
    pub via: Via,
    /// On whose behalf.
    pub asker: UserId,
    /// The session or token that made it; this one never decides it.
    pub credential: Option<CredentialId>,
    /// The tool's name, as asked.
    pub tool: String,
    /// The tool as it was found.
    pub found: Option<FoundTool>,
    /// What this call is called in the list of what ran.
    pub title: String,
    /// Where it stands.
    pub state: CallState,
    /// The arguments as asked, untouched.
    pub arguments_asked: String,
    /// The arguments that run, once they are read.
    pub arguments: Option<String>,
    /// Hash of the arguments that run.
    pub arguments_hash: Option<String>,
    /// What was put right in the arguments.
    pub repairs: Option<String>,
    /// The result, as JSON.
    pub result: Option<String>,
    /// What the model is told of a call that did not succeed.
    pub error: Option<String>,
    /// Whether the result is drawn for the reader.
    pub shown: bool,
    /// The handle of a result that is too large for the model.
    pub handle: Option<String>,
    /// What of the data models the result or the error holds, as JSON; none where nobody said.
    pub tags: Option<String>,
    /// The caller's key against repetition.
    pub idempotency_key: Option<String>,
    /// What a trial would have changed, as JSON; none for a call that was not a trial.
    pub trial: Option<String>,
    /// What hooks did around it, as JSON.
    pub hooks: Option<String>,
    /// When it was asked.
    pub asked_at: i64,
    /// When the tool began.
    pub started_at: Option<i64>,
    /// When it ended.
    pub ended_at: Option<i64>,
}

/// Where in a run a call was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The run.
    pub run: RunId,
    /// The step, from 0.
    pub step: i64,
    /// The position in the step's answer, from 0.
    pub position: i64,
}

/// Which version of which tool a call found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTool {
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: i64,
    /// The digest of that version.
    pub digest: String,
    /// The safety level.
    pub level: String,
}

/// How a call came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// A run of an agent.
    Chat,
    /// The HTTP API.
    Api,
    /// The command line.
    Cli,
}

impl Via {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Api => "api",
            Self::Cli => "cli",
        }
    }
}

/// A name that is no way in.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is not a way that a call comes in")]
pub struct UnknownVia(String);

impl FromStr for Via {
    type Err = UnknownVia;

    fn from_str(name: &str) -> Result<Self, UnknownVia> {
        match name {
            "chat" => Ok(Self::Chat),
            "api" => Ok(Self::Api),
            "cli" => Ok(Self::Cli),
            _ => Err(UnknownVia(name.to_owned())),
        }
    }
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One transition of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEvent {
    /// The state it came into.
    pub state: CallState,
    /// When.
    pub at: i64,
    /// Who made it so, if a person did.
    pub by: Option<UserId>,
    /// Why, where a reason was given.
    pub reason: Option<String>,
}

const COLUMNS: &str = "org_id, id, run_id, step, position, provider_call_id, conversation_id, agent, via, asker_id, \
    credential_id, tool, kind, tool_version, tool_digest, level, title, state, waiting_for, arguments_asked, arguments, \
    arguments_hash, repairs, result, error, shown, handle_id, tags, idempotency_key, trial, hooks, asked_at, started_at, ended_at";
/// How many columns stand in [`COLUMNS`].
const COLUMN_COUNT: usize = 34;

fn read_row(row: &Row) -> Result<CallRow, StoreError> {
    let run: Option<RunId> = parsed_opt(row, "run_id")?;
    let kind: Option<String> = row.try_get("kind")?;
    Ok(CallRow {
        org: parsed(row, "org_id")?,
        id: parsed(row, "id")?,
        place: match run {
            Some(run) => Some(Place {
                run,
                step: row.try_get("step")?,
                position: row.try_get("position")?,
            }),
            None => None,
        },
        provider_call_id: row.try_get("provider_call_id")?,
        conversation: parsed_opt(row, "conversation_id")?,
        agent: row.try_get("agent")?,
        via: parsed(row, "via")?,
        asker: parsed(row, "asker_id")?,
        credential: parsed_opt(row, "credential_id")?,
        tool: row.try_get("tool")?,
        found: match kind {
            Some(kind) => Some(FoundTool {
                kind,
                version: row.try_get("tool_version")?,
                digest: row.try_get("tool_digest")?,
                level: row.try_get("level")?,
            }),
            None => None,
        },
        title: row.try_get("title")?,
        state: read_state(row)?,
        arguments_asked: row.try_get("arguments_asked")?,
        arguments: row.try_get("arguments")?,
        arguments_hash: row.try_get("arguments_hash")?,
        repairs: row.try_get("repairs")?,
        result: row.try_get("result")?,
        error: row.try_get("error")?,
        shown: row.try_get("shown")?,
        handle: row.try_get("handle_id")?,
        tags: row.try_get("tags")?,
        idempotency_key: row.try_get("idempotency_key")?,
        trial: row.try_get("trial")?,
        hooks: row.try_get("hooks")?,
        asked_at: row.try_get("asked_at")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
    })
}

fn read_state(row: &Row) -> Result<CallState, StoreError> {
    let (name, waiting): (&str, Option<&str>) =
        (row.try_get("state")?, row.try_get("waiting_for")?);
    CallState::parse(name, waiting).map_err(|error| decode("state", error))
}

/// The call of that id.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: CallId,
) -> Result<Option<CallRow>, StoreError> {
    let query = sql(format!(
        "SELECT {COLUMNS} FROM tc_calls WHERE org_id = $1 AND id = $2"
    ));
    let row = query
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// The calls of a run, in the order asked.
///
/// # Errors
/// When the database fails.
pub async fn of_run(
    from: &mut impl ReadFrom,
    org: OrgId,
    run: RunId,
) -> Result<Vec<CallRow>, StoreError> {
    let query = sql(format!(
        "SELECT {COLUMNS} FROM tc_calls WHERE org_id = $1 AND run_id = $2 ORDER BY step, position"
    ));
    let rows = query
        .bind(org.to_string())
        .bind(run.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_row).collect()
}

/// What the runs of a trial have written so far, in the order in which they did.
///
/// # Errors
/// When the database fails.
pub async fn tried_writes(
    from: &mut impl ReadFrom,
    org: OrgId,
    conversation: ConversationId,
) -> Result<Vec<CallRow>, StoreError> {
    let query = sql(format!(
        "SELECT {COLUMNS} FROM tc_calls c WHERE org_id = $1 AND conversation_id = $2 AND run_id IS NOT NULL \
           AND trial IS NOT NULL AND state = 'succeeded' AND level <> 'read_only' \
         ORDER BY (SELECT r.seq FROM tc_runs r WHERE r.org_id = c.org_id AND r.id = c.run_id), step, position"
    ));
    let rows = query
        .bind(org.to_string())
        .bind(conversation.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_row).collect()
}

/// The calls of a conversation that have not ended, of runs and of callers alike.
///
/// # Errors
/// When the database fails.
pub async fn open_of_conversation(
    from: &mut impl ReadFrom,
    org: OrgId,
    conversation: ConversationId,
) -> Result<Vec<CallRow>, StoreError> {
    let query = sql(format!(
        "SELECT {COLUMNS} FROM tc_calls WHERE org_id = $1 AND conversation_id = $2 AND ended_at IS NULL"
    ));
    let rows = query
        .bind(org.to_string())
        .bind(conversation.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_row).collect()
}

/// The call that was made with a caller's key, unless the key is free again.
///
/// # Errors
/// When the database fails.
pub async fn by_key(
    from: &mut impl ReadFrom,
    org: OrgId,
    asker: UserId,
    tool: &str,
    key: &str,
) -> Result<Option<CallRow>, StoreError> {
    let query = sql(format!(
        "SELECT {COLUMNS} FROM tc_calls WHERE org_id = $1 AND asker_id = $2 AND tool = $3 AND idempotency_key = $4 \
         AND key_freed_at IS NULL"
    ));
    let row = query
        .bind(org.to_string())
        .bind(asker.to_string())
        .bind(tool)
        .bind(key)
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// Frees the key that a call was made with: from here on it is another one's. The call keeps it, as
/// a part of its story.
///
/// # Errors
/// When the database fails.
pub async fn free_key(unit: &mut Unit, org: OrgId, id: CallId, now: i64) -> Result<(), StoreError> {
    sql("UPDATE tc_calls SET key_freed_at = $3 WHERE org_id = $1 AND id = $2 AND key_freed_at IS NULL")
        .bind(org.to_string())
        .bind(id.to_string())
        .bind(now)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// What happened to a call, in order.
///
/// # Errors
/// When the database fails.
pub async fn events(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: CallId,
) -> Result<Vec<CallEvent>, StoreError> {
    let rows = sql(
        "SELECT state, waiting_for, at, by_id, reason FROM tc_call_events WHERE org_id = $1 AND call_id = $2 ORDER BY seq",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(CallEvent {
                state: read_state(row)?,
                at: row.try_get("at")?,
                by: parsed_opt(row, "by_id")?,
                reason: row.try_get("reason")?,
            })
        })
        .collect()
}
