use toolcrib::id::{CallId, OrgId};
use toolcrib::state::{CallState, WaitingFor};

use super::{CallEvent, FoundTool};
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

/// What a transition changes beside the state; what is unset stays as it is.
#[derive(Clone, Debug, Default)]
pub struct CallChange {
    /// The tool as it was found.
    pub found: Option<FoundTool>,
    /// The title.
    pub title: Option<String>,
    /// The arguments that run.
    pub arguments: Option<String>,
    /// Their hash.
    pub arguments_hash: Option<String>,
    /// What was put right in them.
    pub repairs: Option<String>,
    /// The result, as JSON.
    pub result: Option<String>,
    /// What the model is told of a call that did not succeed.
    pub error: Option<String>,
    /// Whether the result is drawn for the reader.
    pub shown: bool,
    /// The handle of a large result.
    pub handle: Option<String>,
    /// What of the data models result and error hold, as JSON.
    pub tags: Option<String>,
    /// When the tool began.
    pub started_at: Option<i64>,
}

/// Moves a call from one of `from` into the event's state, and writes the event. Answers whether
/// the call was in one of those states: of two that try the same transition, one is told no.
///
/// # Errors
/// When the database fails.
pub async fn transition(
    unit: &mut Unit,
    org: OrgId,
    id: CallId,
    from: &[CallState],
    event: &CallEvent,
    change: &CallChange,
) -> Result<bool, StoreError> {
    let names: Vec<&str> = from.iter().map(|state| state.name()).collect();
    let names = super::super::row::to_json("states", &names)?;
    let found = change.found.as_ref();
    let moved = sqlx::query(
        "UPDATE tc_calls SET state = $4, waiting_for = $5, \
           kind = coalesce($6, kind), tool_version = coalesce($7, tool_version), \
           tool_digest = coalesce($8, tool_digest), level = coalesce($9, level), title = coalesce($10, title), \
           arguments = coalesce($11, arguments), arguments_hash = coalesce($12, arguments_hash), \
           repairs = coalesce($13, repairs), result = coalesce($14, result), error = coalesce($15, error), \
           shown = max(shown, $16), handle_id = coalesce($17, handle_id), started_at = coalesce($18, started_at), \
           ended_at = $19, tags = coalesce($20, tags) \
         WHERE org_id = $1 AND id = $2 AND state IN (SELECT value FROM json_each($3))",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(names)
    .bind(event.state.name())
    .bind(event.state.waiting_for().map(WaitingFor::name))
    .bind(found.map(|found| found.kind.as_str()))
    .bind(found.map(|found| found.version))
    .bind(found.map(|found| found.digest.as_str()))
    .bind(found.map(|found| found.level.as_str()))
    .bind(change.title.as_deref())
    .bind(change.arguments.as_deref())
    .bind(change.arguments_hash.as_deref())
    .bind(change.repairs.as_deref())
    .bind(change.result.as_deref())
    .bind(change.error.as_deref())
    .bind(change.shown)
    .bind(change.handle.as_deref())
    .bind(change.started_at)
    .bind(event.state.is_ending().then_some(event.at))
    .bind(change.tags.as_deref())
    .execute(unit.as_conn().await?.sqlite()?)
    .await?;
    if moved.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO tc_call_events (org_id, call_id, seq, state, waiting_for, at, by_id, reason) \
         SELECT $1, $2, coalesce(max(seq), 0) + 1, $3, $4, $5, $6, $7 FROM tc_call_events WHERE org_id = $1 AND call_id = $2",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(event.state.name())
    .bind(event.state.waiting_for().map(WaitingFor::name))
    .bind(event.at)
    .bind(event.by.map(|id| id.to_string()))
    .bind(event.reason.as_deref())
    .execute(unit.as_conn().await?.sqlite()?)
    .await?;
    Ok(true)
}
