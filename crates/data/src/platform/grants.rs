//! Decisions for later calls.

use toolcrib::id::{ApprovalId, CallId, ConversationId, GrantId, OrgId, UserId};

use super::row::{parsed, parsed_opt};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A decision in favour of later calls: of one user, agent, version of a tool, and scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRow {
    /// The grant.
    pub id: GrantId,
    /// Who gave it, and whose calls it covers.
    pub user: UserId,
    /// The agent whose calls it covers; none for calls without one.
    pub agent: Option<String>,
    /// The tool.
    pub tool: String,
    /// The version of the tool that was shown.
    pub digest: String,
    /// What of the tool it covers, for example a data model and an operation.
    pub scope: String,
    /// The conversation it holds in; everywhere where there is none.
    pub conversation: Option<ConversationId>,
    /// The approval that it was given with.
    pub approval: ApprovalId,
    /// When it was given.
    pub created_at: i64,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
}

/// A call that a grant may cover.
#[derive(Clone, Copy, Debug)]
pub struct Covered<'a> {
    /// On whose behalf.
    pub user: UserId,
    /// The agent.
    pub agent: Option<&'a str>,
    /// The tool.
    pub tool: &'a str,
    /// Its version.
    pub digest: &'a str,
    /// What of the tool it is.
    pub scope: &'a str,
    /// The conversation.
    pub conversation: Option<ConversationId>,
}

const COLUMNS: &str = "id, user_id, agent, tool, tool_digest, scope, conversation_id, approval_id, created_at, revoked_at";

fn read_row(row: &Row) -> Result<GrantRow, StoreError> {
    Ok(GrantRow {
        id: parsed(row, "id")?,
        user: parsed(row, "user_id")?,
        agent: row.try_get("agent")?,
        tool: row.try_get("tool")?,
        digest: row.try_get("tool_digest")?,
        scope: row.try_get("scope")?,
        conversation: parsed_opt(row, "conversation_id")?,
        approval: parsed(row, "approval_id")?,
        created_at: row.try_get("created_at")?,
        revoked_at: row.try_get("revoked_at")?,
    })
}

/// Stores a grant.
///
/// # Errors
/// When the database fails.
pub async fn insert(unit: &mut Unit, org: OrgId, grant: &GrantRow) -> Result<(), StoreError> {
    sql(format!(
        "INSERT INTO tc_grants (org_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    ))
    .bind(org.to_string())
    .bind(grant.id.to_string())
    .bind(grant.user.to_string())
    .bind(grant.agent.as_deref())
    .bind(&grant.tool)
    .bind(&grant.digest)
    .bind(&grant.scope)
    .bind(grant.conversation.map(|id| id.to_string()))
    .bind(grant.approval.to_string())
    .bind(grant.created_at)
    .bind(grant.revoked_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// A grant in force that covers a call. All of it has to be the same: whatever changed, asks again.
///
/// # Errors
/// When the database fails.
pub async fn covering(
    from: &mut impl ReadFrom,
    org: OrgId,
    call: Covered<'_>,
) -> Result<Option<GrantRow>, StoreError> {
    let row = sql(format!(
        "SELECT {COLUMNS} FROM tc_grants WHERE org_id = $1 AND user_id = $2 AND tool = $3 AND revoked_at IS NULL \
           AND tool_digest = $4 AND scope = $5 AND coalesce(agent, '') = $6 \
           AND (conversation_id IS NULL OR conversation_id = $7) \
         ORDER BY created_at DESC LIMIT 1"
    ))
    .bind(org.to_string())
    .bind(call.user.to_string())
    .bind(call.tool)
    .bind(call.digest)
    .bind(call.scope)
    .bind(call.agent.unwrap_or_default())
    .bind(call.conversation.map(|id| id.to_string()))
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// A user's grants in force, newest first.
///
/// # Errors
/// When the database fails.
pub async fn of_user(
    from: &mut impl ReadFrom,
    org: OrgId,
    user: UserId,
) -> Result<Vec<GrantRow>, StoreError> {
    let rows = sql(format!(
        "SELECT {COLUMNS} FROM tc_grants WHERE org_id = $1 AND user_id = $2 AND revoked_at IS NULL ORDER BY id DESC"
    ))
    .bind(org.to_string())
    .bind(user.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// Revokes a user's grant. Answers whether it was in force.
///
/// # Errors
/// When the database fails.
pub async fn revoke(
    unit: &mut Unit,
    org: OrgId,
    id: GrantId,
    user: UserId,
    now: i64,
) -> Result<bool, StoreError> {
    let done = sql("UPDATE tc_grants SET revoked_at = $4, revoked_by = $3 \
         WHERE org_id = $1 AND id = $2 AND user_id = $3 AND revoked_at IS NULL")
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(user.to_string())
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a grant is in force still; asked inside the unit of the call that it covers.
///
/// # Errors
/// When the database fails.
pub async fn holds(unit: &mut Unit, org: OrgId, id: GrantId) -> Result<bool, StoreError> {
    let row = sql("SELECT 1 FROM tc_grants WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL")
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut unit.as_conn().await?)
        .await?;
    Ok(row.is_some())
}

/// Writes down that a call runs by a grant.
///
/// # Errors
/// When the database fails.
pub async fn note_use(
    unit: &mut Unit,
    org: OrgId,
    (call, grant): (CallId, GrantId),
    at: i64,
) -> Result<(), StoreError> {
    sql("INSERT INTO tc_grant_uses (org_id, call_id, grant_id, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING")
        .bind(org.to_string())
        .bind(call.to_string())
        .bind(grant.to_string())
        .bind(at)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// The grant that a call ran by.
///
/// # Errors
/// When the database fails.
pub async fn used_by(
    from: &mut impl ReadFrom,
    org: OrgId,
    call: CallId,
) -> Result<Option<GrantId>, StoreError> {
    let row = sql("SELECT grant_id FROM tc_grant_uses WHERE org_id = $1 AND call_id = $2")
        .bind(org.to_string())
        .bind(call.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(|row| parsed(row, "grant_id")).transpose()
}
