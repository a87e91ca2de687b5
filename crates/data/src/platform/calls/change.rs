use toolcrib::id::{CallId, OrgId};
use toolcrib::state::{CallState, WaitingFor};

use super::{CallEvent, FoundTool};
use crate::platform::sql::sql;
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
    /// What hooks did around it, as JSON.
    pub hooks: Option<String>,
    /// What a trial would have changed, as JSON.
    pub trial: Option<String>,
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
    // Words of our own: none comes from outside.
    let states: Vec<String> = from
        .iter()
        .map(|state| format!("'{}'", state.name()))
        .collect();
    let states = states.join(", ");
    let found = change.found.as_ref();
    let moved = sql(
        format!("UPDATE tc_calls SET state = $3, waiting_for = $4, \
           kind = coalesce($5, kind), tool_version = coalesce($6, tool_version), \
           tool_digest = coalesce($7, tool_digest), level = coalesce($8, level), title = coalesce($9, title), \
           arguments = coalesce($10, arguments), arguments_hash = coalesce($11, arguments_hash), \
           repairs = coalesce($12, repairs), result = CASE WHEN state = 'ran' THEN $13 ELSE coalesce($13, result) END, error = coalesce($14, error), \
           shown = (shown OR $15), handle_id = coalesce($16, handle_id), started_at = coalesce($17, started_at), \
           ended_at = $18, tags = coalesce($19, tags), hooks = coalesce($20, hooks), trial = coalesce($21, trial) \
         WHERE org_id = $1 AND id = $2 AND state IN ({states})"),
    )
    .bind(org.to_string())
    .bind(id.to_string())
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
    .bind(change.hooks.as_deref())
    .bind(change.trial.as_deref())
    .execute(&mut unit.as_conn().await?)
    .await?;
    if moved.rows_affected() == 0 {
        return Ok(false);
    }
    sql(
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
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(true)
}
