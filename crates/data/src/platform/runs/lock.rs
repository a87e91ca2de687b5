//! Holding a run, so that what is decided about it stays true until it is written.
//!
//! A unit that changes calls of a run holds the run first: with two orders, two units could wait for each other.

use toolcrib::id::{ConversationId, OrgId, RunId};

use super::{RunRow, read_row};
use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

/// The run of that id, held until the unit ends.
///
/// # Errors
/// When the database fails.
pub async fn lock(unit: &mut Unit, org: OrgId, id: RunId) -> Result<Option<RunRow>, StoreError> {
    let row = sql("SELECT * FROM tc_runs WHERE org_id = $1 AND id = $2")
        .holding()
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut unit.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// The run of a conversation that goes on, held until the unit ends.
///
/// # Errors
/// When the database fails.
pub async fn lock_open(
    unit: &mut Unit,
    org: OrgId,
    conversation: ConversationId,
) -> Result<Option<RunRow>, StoreError> {
    let row = sql("SELECT * FROM tc_runs WHERE org_id = $1 AND conversation_id = $2 AND state IN ('active', 'waiting')")
        .holding()
        .bind(org.to_string())
        .bind(conversation.to_string())
        .fetch_optional(&mut unit.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}
