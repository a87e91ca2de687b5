//! Stored results that are too large for a model.

use toolcrib::id::{CallId, ConversationId, OrgId, UserId};

use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A stored result.
#[derive(Clone, Debug)]
pub struct HandleRow {
    /// 128 random bits, as hexadecimal text.
    pub id: String,
    /// Who may resolve it.
    pub owner: UserId,
    /// The conversation it came up in.
    pub conversation: Option<ConversationId>,
    /// The call whose result it is.
    pub call: CallId,
    /// The result, as JSON.
    pub content: String,
    /// When it was stored.
    pub created_at: i64,
    /// When it may be dropped.
    pub expires_at: i64,
}

/// Stores a result.
///
/// # Errors
/// When the database fails.
pub async fn insert(unit: &mut Unit, org: OrgId, handle: &HandleRow) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_handles (org_id, id, owner_id, conversation_id, call_id, content, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(org.to_string())
    .bind(&handle.id)
    .bind(handle.owner.to_string())
    .bind(handle.conversation.map(|id| id.to_string()))
    .bind(handle.call.to_string())
    .bind(&handle.content)
    .bind(handle.created_at)
    .bind(handle.expires_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// The content behind a handle, for its owner and nobody else.
///
/// # Errors
/// When the database fails.
pub async fn resolve(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: &str,
    owner: UserId,
    now: i64,
) -> Result<Option<String>, StoreError> {
    let row = sql("SELECT content FROM tc_handles WHERE org_id = $1 AND id = $2 AND owner_id = $3 AND expires_at > $4")
        .bind(org.to_string())
        .bind(id)
        .bind(owner.to_string())
        .bind(now)
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    Ok(row.map(|row| row.try_get("content")).transpose()?)
}

/// Drops what has lapsed, of every organisation. Answers with how many.
///
/// # Errors
/// When the database fails.
pub async fn drop_lapsed(unit: &mut Unit, now: i64) -> Result<u64, StoreError> {
    let dropped = sql("DELETE FROM tc_handles WHERE expires_at <= $1")
        .bind(now)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(dropped.rows_affected())
}
