use toolcrib::id::{CallId, OrgId, UserId};

use crate::conn::Conn;
use crate::platform::calls::CallRow;
use crate::platform::calls::{COLUMNS, read_row};
use crate::platform::row::{parsed, parsed_opt};
use crate::platform::sql::{Row, sql};
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

fn read_event(row: &Row) -> Result<AuditEvent, StoreError> {
    Ok(AuditEvent {
        mark: Mark {
            unit: row.try_at(0)?,
            row: row.try_at(1)?,
        },
        call: parsed(row, "call_id")?,
        number: row.try_get("seq")?,
        state: row.try_get("state")?,
        waiting_for: row.try_get("waiting_for")?,
        at: row.try_get("at")?,
        by: parsed_opt(row, "by_id")?,
        reason: row.try_get("reason")?,
    })
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
) -> Result<Vec<AuditEvent>, StoreError> {
    let mut conn = from.as_conn().await?;
    // A row of the SQLite writer is in its place as soon as it is seen.
    let text = match &conn {
        Conn::Postgres(_) => {
            "SELECT unit::text::bigint AS mark_unit, pos AS mark_row, call_id, seq, state, waiting_for, at, by_id, reason \
             FROM tc_call_events WHERE org_id = $1 AND (unit, pos) > ($2::text::xid8, $3) \
               AND unit < pg_snapshot_xmin(pg_current_snapshot()) \
             ORDER BY unit, pos LIMIT $4"
        }
        _ => {
            "SELECT 0 AS mark_unit, rowid AS mark_row, call_id, seq, state, waiting_for, at, by_id, reason \
             FROM tc_call_events WHERE org_id = $1 AND $2 >= 0 AND rowid > $3 ORDER BY rowid LIMIT $4"
        }
    };
    let rows = sql(text)
        .bind(org.to_string())
        .bind(after.unit)
        .bind(after.row)
        .bind(i64::from(limit))
        .fetch_all(&mut conn)
        .await?;
    rows.iter().map(read_event).collect()
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
        _ => "SELECT count(*) FROM tc_call_events WHERE org_id = $1 AND $2 >= 0 AND rowid > $3",
    };
    let row = sql(text)
        .bind(org.to_string())
        .bind(after.unit)
        .bind(after.row)
        .fetch_one(&mut conn)
        .await?;
    Ok(row.try_at(0)?)
}

/// The calls of these ids.
///
/// # Errors
/// When the database fails.
pub async fn payloads(
    from: &mut impl ReadFrom,
    org: OrgId,
    calls: &[CallId],
) -> Result<Vec<CallRow>, StoreError> {
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let numbers: Vec<String> = (0..calls.len()).map(|n| format!("${}", n + 2)).collect();
    let text = format!(
        "SELECT {COLUMNS} FROM tc_calls WHERE org_id = $1 AND id IN ({})",
        numbers.join(", ")
    );
    let query = calls
        .iter()
        .fold(sql(text).bind(org.to_string()), |query, call| {
            query.bind(call.to_string())
        });
    let rows = query.fetch_all(&mut from.as_conn().await?).await?;
    rows.iter().map(read_row).collect()
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
        "UPDATE tc_calls SET arguments_asked = '', arguments = NULL, repairs = NULL, result = NULL, error = NULL, \
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
        "UPDATE tc_approvals SET card = '{}', reason = NULL WHERE org_id = $1 AND call_id = $2",
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
