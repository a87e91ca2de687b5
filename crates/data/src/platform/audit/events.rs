use serde::Deserialize;
use toolcrib::id::{CallId, OrgId, UserId};
use toolcrib::state::CallState;

use crate::conn::Conn;
use crate::platform::row::decode;
use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// What stands for what an ended call waits for, in the transition that says that its payload was
/// erased. No call waits for that.
pub const ERASED: &str = "erased";

/// A place in the order in which transitions were stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The transaction, where the database numbers them.
    pub unit: i64,
    /// The row.
    pub row: i64,
}

/// A stored transition of a call, at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// The place.
    pub mark: Mark,
    /// The call.
    pub call: CallId,
    /// Its number within the call, from 1.
    pub number: i64,
    /// The state it came into.
    pub state: String,
    /// What a waiting call waits for.
    pub waiting_for: Option<String>,
    /// When.
    pub at: i64,
    /// Who made it so.
    pub by: Option<UserId>,
    /// Why.
    pub reason: Option<String>,
}

/// Transitions as the database wrote them out, a JSON line each: hundreds are one row of an answer,
/// since to fetch and take apart rows one by one is most of the work of proving a chain.
#[derive(Debug)]
pub struct EventLines(String);

/// A line of transitions.
type EventLine = (
    String,
    i64,
    String,
    Option<String>,
    i64,
    Option<String>,
    Option<String>,
    i64,
    i64,
);

impl EventLines {
    /// The transitions.
    ///
    /// # Errors
    /// When a line is none that this program wrote.
    pub fn read(&self) -> Result<Vec<AuditEvent>, StoreError> {
        self.0
            .lines()
            .map(|line| {
                let line: EventLine = serde_json::from_str(line).map_err(stored)?;
                let (call, number, state, waiting_for, at, by, reason, unit, row) = line;
                let by = by.map(|by| by.parse()).transpose();
                Ok(AuditEvent {
                    mark: Mark { unit, row },
                    call: call.parse().map_err(|error| decode("call_id", error))?,
                    number,
                    state,
                    waiting_for,
                    at,
                    by: by.map_err(|error| decode("by_id", error))?,
                    reason,
                })
            })
            .collect()
    }
}

fn stored(source: serde_json::Error) -> StoreError {
    StoreError::Stored {
        what: "a line of the audit",
        source,
    }
}

/// The transitions after a place, in their order. Those of transactions that others may still come
/// before are not among them.
///
/// # Errors
/// When the database fails.
pub async fn events(
    from: &mut impl ReadFrom,
    org: OrgId,
    after: Mark,
    limit: u32,
) -> Result<EventLines, StoreError> {
    let mut conn = from.as_conn().await?;
    // A row of the SQLite writer is in its place as soon as it is seen. The sign keeps SQLite from
    // going by an index of the organisation, over all that there ever was, instead of by the row.
    let text = match &conn {
        Conn::Postgres(_) => {
            "SELECT coalesce(string_agg(line, chr(10)), '') FROM ( \
               SELECT json_build_array(call_id, seq, state, waiting_for, at, by_id, reason, unit::text::bigint, pos)::text AS line \
               FROM tc_call_events WHERE org_id = $1 AND (unit, pos) > ($2::text::xid8, $3) \
                 AND unit < pg_snapshot_xmin(pg_current_snapshot()) \
               ORDER BY unit, pos LIMIT $4) AS lines"
        }
        _ => {
            "SELECT coalesce(group_concat(line, char(10)), '') FROM ( \
               SELECT json_array(call_id, seq, state, waiting_for, at, by_id, reason, 0, rowid) AS line \
               FROM tc_call_events WHERE +org_id = $1 AND $2 >= 0 AND rowid > $3 ORDER BY rowid LIMIT $4)"
        }
    };
    let row = sql(text)
        .bind(org.to_string())
        .bind(after.unit)
        .bind(after.row)
        .bind(i64::from(limit))
        .fetch_one(&mut conn)
        .await?;
    Ok(EventLines(row.try_at(0)?))
}

/// Transitions that stand where none can be: at or before the place that the chain begins after.
///
/// # Errors
/// When the database fails.
pub async fn events_before(
    from: &mut impl ReadFrom,
    org: OrgId,
    to: Mark,
) -> Result<i64, StoreError> {
    let mut conn = from.as_conn().await?;
    let text = match &conn {
        Conn::Postgres(_) => {
            "SELECT count(*) FROM tc_call_events WHERE org_id = $1 AND (unit, pos) <= ($2::text::xid8, $3)"
        }
        _ => "SELECT count(*) FROM tc_call_events WHERE +org_id = $1 AND $2 >= 0 AND rowid <= $3",
    };
    let row = sql(text)
        .bind(org.to_string())
        .bind(to.unit)
        .bind(to.row)
        .fetch_one(&mut conn)
        .await?;
    Ok(row.try_at(0)?)
}

/// Calls that nothing is told of: none of their transitions is stored. Those of conversations keep
/// their rows when their transitions are pruned.
///
/// # Errors
/// When the database fails.
pub async fn untold(
    from: &mut impl ReadFrom,
    org: OrgId,
    pruned_to: Option<i64>,
    limit: u32,
) -> Result<Vec<String>, StoreError> {
    let rows = sql(
        "SELECT id FROM tc_calls AS c WHERE org_id = $1 AND ($2 IS NULL OR conversation_id IS NULL OR asked_at > $2) \
           AND NOT EXISTS (SELECT 1 FROM tc_call_events AS e WHERE e.org_id = c.org_id AND e.call_id = c.id) LIMIT $3",
    )
    .bind(org.to_string())
    .bind(pruned_to)
    .bind(i64::from(limit))
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(|row| Ok(row.try_at(0)?)).collect()
}

/// How many transitions there are after a place.
///
/// # Errors
/// When the database fails.
pub async fn events_after(
    from: &mut impl ReadFrom,
    org: OrgId,
    after: Mark,
) -> Result<i64, StoreError> {
    let mut conn = from.as_conn().await?;
    let text = match &conn {
        Conn::Postgres(_) => {
            "SELECT count(*) FROM tc_call_events WHERE org_id = $1 AND (unit, pos) > ($2::text::xid8, $3)"
        }
        _ => "SELECT count(*) FROM tc_call_events WHERE +org_id = $1 AND $2 >= 0 AND rowid > $3",
    };
    let row = sql(text)
        .bind(org.to_string())
        .bind(after.unit)
        .bind(after.row)
        .fetch_one(&mut conn)
        .await?;
    Ok(row.try_at(0)?)
}

/// What the chain says of a call: who asked for what, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CallPayload {
    /// The call.
    pub id: String,
    /// On whose behalf.
    pub asker: String,
    /// What the asker came in with.
    pub credential: Option<String>,
    /// The tool's name, as asked.
    pub tool: String,
    /// How it came in.
    pub via: String,
    /// The agent that asked.
    pub agent: Option<String>,
    /// The conversation.
    pub conversation: Option<String>,
    /// The version of the tool that was found.
    pub version: Option<i64>,
    /// Its digest.
    pub digest: Option<String>,
    /// The arguments as asked.
    pub arguments_asked: String,
    /// The arguments that ran.
    pub arguments: Option<String>,
    /// The result.
    pub result: Option<String>,
    /// Why it did not succeed.
    pub error: Option<String>,
    /// What a trial would have changed.
    pub trial: Option<String>,
    /// The state it is in.
    pub state: String,
    /// What it is called in the list of what ran.
    pub title: String,
    /// The safety level.
    pub level: Option<String>,
    /// The tool's kind.
    pub kind: Option<String>,
    /// Hash of the arguments that ran.
    pub arguments_hash: Option<String>,
    /// What was put right in the arguments.
    pub repairs: Option<String>,
    /// What of the data models the result holds.
    pub tags: Option<String>,
    /// The handle of a large result.
    pub handle: Option<String>,
    /// The run that asked.
    pub run: Option<String>,
    /// The provider's own id of the call.
    pub provider_call_id: Option<String>,
    /// The caller's key against repetition.
    pub idempotency_key: Option<String>,
    /// When it was asked.
    pub asked_at: i64,
    /// When the tool began.
    pub started_at: Option<i64>,
    /// When it ended.
    pub ended_at: Option<i64>,
}

/// Calls as the database wrote them out, a JSON line each.
#[derive(Debug)]
pub struct PayloadLines(String);

impl PayloadLines {
    /// The calls.
    ///
    /// # Errors
    /// When a line is none that this program wrote.
    pub fn read(&self) -> Result<Vec<CallPayload>, StoreError> {
        let lines = self.0.lines();
        lines
            .map(|line| serde_json::from_str(line).map_err(stored))
            .collect()
    }
}

/// The calls that began or ended after a place, up to another.
///
/// # Errors
/// When the database fails.
pub async fn payloads(
    from: &mut impl ReadFrom,
    org: OrgId,
    after: Mark,
    to: Mark,
) -> Result<PayloadLines, StoreError> {
    // Names of our own: none comes from outside.
    let endings: Vec<String> = CallState::NAMES
        .into_iter()
        .filter(|name| CallState::parse(name, None).is_ok_and(CallState::is_ending))
        .map(|name| format!("'{name}'"))
        .collect();
    let needed = format!("(seq = 1 OR state IN ({}))", endings.join(", "));
    let columns = "c.id, c.asker_id, c.credential_id, c.tool, c.via, c.agent, c.conversation_id, c.tool_version, \
        c.tool_digest, c.arguments_asked, c.arguments, c.result, c.error, c.trial, c.state, c.title, c.level, c.kind, \
        c.arguments_hash, c.repairs, c.tags, c.handle_id, c.run_id, c.provider_call_id, c.idempotency_key, \
        c.asked_at, c.started_at, c.ended_at";
    let mut conn = from.as_conn().await?;
    let text = match &conn {
        Conn::Postgres(_) => format!(
            "SELECT coalesce(string_agg(json_build_array({columns})::text, chr(10)), '') FROM tc_calls AS c \
             WHERE c.org_id = $1 AND c.id IN (SELECT call_id FROM tc_call_events WHERE org_id = $1 AND {needed} \
               AND (unit, pos) > ($2::text::xid8, $3) AND (unit, pos) <= ($4::text::xid8, $5))"
        ),
        _ => format!(
            "SELECT coalesce(group_concat(json_array({columns}), char(10)), '') FROM tc_calls AS c \
             WHERE c.org_id = $1 AND c.id IN (SELECT call_id FROM tc_call_events WHERE +org_id = $1 AND {needed} \
               AND $2 >= 0 AND rowid > $3 AND $4 >= 0 AND rowid <= $5)"
        ),
    };
    let row = sql(text)
        .bind(org.to_string())
        .bind(after.unit)
        .bind(after.row)
        .bind(to.unit)
        .bind(to.row)
        .fetch_one(&mut conn)
        .await?;
    Ok(PayloadLines(row.try_at(0)?))
}

/// Whether the payload of a call was erased.
///
/// # Errors
/// When the database fails.
pub async fn is_erased(
    from: &mut impl ReadFrom,
    org: OrgId,
    call: CallId,
) -> Result<bool, StoreError> {
    let row = sql(
        "SELECT 1 FROM tc_call_events WHERE org_id = $1 AND call_id = $2 AND waiting_for = $3 LIMIT 1",
    )
    .bind(org.to_string())
    .bind(call.to_string())
    .bind(ERASED)
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    Ok(row.is_some())
}

/// Takes what a call was asked with and what it answered out of the database, and writes down who
/// did so, and why. Answers with nothing if there is no such call, or it has not ended.
///
/// # Errors
/// When the database fails.
pub async fn erase(
    unit: &mut Unit,
    org: OrgId,
    call: CallId,
    (by, at): (UserId, i64),
    reason: &str,
) -> Result<Option<()>, StoreError> {
    let mut conn = unit.as_conn().await?;
    let (org, call) = (org.to_string(), call.to_string());
    let done = sql(
        "UPDATE tc_calls SET arguments_asked = '', arguments = NULL, arguments_hash = NULL, repairs = NULL, result = NULL, \
           error = NULL, tags = NULL, hooks = NULL, handle_id = NULL, title = tool, \
           trial = CASE WHEN trial IS NULL THEN NULL ELSE '{}' END \
         WHERE org_id = $1 AND id = $2 AND ended_at IS NOT NULL",
    )
    .bind(&org)
    .bind(&call)
    .execute(&mut conn)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(None);
    }
    for text in [
        "UPDATE tc_approvals SET card = '{}', reason = NULL, arguments_before = NULL, arguments_hash = '', fingerprint = NULL WHERE org_id = $1 AND call_id = $2",
        "DELETE FROM tc_handles WHERE org_id = $1 AND call_id = $2",
        "UPDATE tc_call_events SET reason = NULL WHERE org_id = $1 AND call_id = $2",
    ] {
        let erase = sql(text).bind(&org).bind(&call);
        erase.execute(&mut conn).await?;
    }
    sql(
        "INSERT INTO tc_call_events (org_id, call_id, seq, state, waiting_for, at, by_id, reason) \
         SELECT org_id, call_id, seq + 1, state, $6, $3, $4, $5 FROM tc_call_events \
         WHERE org_id = $1 AND call_id = $2 ORDER BY seq DESC LIMIT 1",
    )
    .bind(&org)
    .bind(&call)
    .bind(at)
    .bind(by.to_string())
    .bind(reason)
    .bind(ERASED)
    .execute(&mut conn)
    .await?;
    Ok(Some(()))
}
