use serde_json::Value;
use toolcrib::id::{OrgId, RunId};

use super::{RunRow, RunState, read_row};
use crate::platform::row::{parsed, to_json};
use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// The right to work on a run. Whoever takes it over raises the epoch, and the one before
/// can write nothing more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The organisation.
    pub org: OrgId,
    /// The run.
    pub run: RunId,
    /// Which taking this is.
    pub epoch: i64,
    /// The server that holds it.
    pub owner: String,
}

/// Takes an active run that nobody works on: free, or lapsed.
///
/// # Errors
/// When the database fails.
pub async fn claim(
    unit: &mut Unit,
    org: OrgId,
    run: RunId,
    owner: &str,
    until: i64,
    now: i64,
) -> Result<Option<RunRow>, StoreError> {
    let row = sql(
        "UPDATE tc_runs SET epoch = epoch + 1, lease_owner = $3, lease_until = $4, updated_at = $5 \
         WHERE org_id = $1 AND id = $2 AND state = 'active' AND (lease_owner IS NULL OR lease_until <= $5) RETURNING *",
    )
    .bind(org.to_string())
    .bind(run.to_string())
    .bind(owner)
    .bind(until)
    .bind(now)
    .fetch_optional(&mut unit.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Whether the lease still holds, and it does until the unit ends; asked inside the unit whose
/// writes depend on it.
///
/// # Errors
/// When the database fails.
pub async fn holds(unit: &mut Unit, lease: &Lease) -> Result<bool, StoreError> {
    let row = sql("SELECT 1 FROM tc_runs WHERE org_id = $1 AND id = $2 AND epoch = $3")
        .holding()
        .bind(lease.org.to_string())
        .bind(lease.run.to_string())
        .bind(lease.epoch)
        .fetch_optional(&mut unit.as_conn().await?)
        .await?;
    Ok(row.is_some())
}

/// Whether the lease holds at this moment.
///
/// # Errors
/// When the database fails.
pub async fn is_current(from: &mut impl ReadFrom, lease: &Lease) -> Result<bool, StoreError> {
    let standing = standing(from, lease.org, lease.run).await?;
    Ok(standing.is_some_and(|standing| standing.epoch == lease.epoch))
}

/// Prolongs the lease. Answers with the run, if the lease still held.
///
/// # Errors
/// When the database fails.
pub async fn renew(
    unit: &mut Unit,
    lease: &Lease,
    until: i64,
) -> Result<Option<RunRow>, StoreError> {
    let row = sql(
        "UPDATE tc_runs SET lease_until = $4 WHERE org_id = $1 AND id = $2 AND epoch = $3 RETURNING *",
    )
    .bind(lease.org.to_string())
    .bind(lease.run.to_string())
    .bind(lease.epoch)
    .bind(until)
    .fetch_optional(&mut unit.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Who works on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Where the run stands.
    pub state: RunState,
    /// How often a lease was taken or given back.
    pub epoch: i64,
    /// The server that holds the lease, if one does.
    pub owner: Option<String>,
}

impl Standing {
    /// The taking under which the run is being told, or was told last.
    #[must_use]
    pub fn telling(&self) -> i64 {
        match self.owner {
            Some(_) => self.epoch,
            // To give it back was the last that was done under it.
            None => self.epoch - 1,
        }
    }
}

/// Who works on a run, if there is such a run.
///
/// # Errors
/// When the database fails.
pub async fn standing(
    from: &mut impl ReadFrom,
    org: OrgId,
    run: RunId,
) -> Result<Option<Standing>, StoreError> {
    let row = sql("SELECT state, epoch, lease_owner FROM tc_runs WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(run.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Standing {
        state: parsed(&row, "state")?,
        epoch: row.try_get("epoch")?,
        owner: row.try_get("lease_owner")?,
    }))
}

/// Gives the run back in the state it has come into; whoever worked on it writes nothing more.
/// Answers whether the lease still held.
///
/// # Errors
/// When the database fails.
pub async fn release(
    unit: &mut Unit,
    lease: &Lease,
    state: RunState,
    finish: Option<&Value>,
    now: i64,
) -> Result<bool, StoreError> {
    let finish = finish.map(|finish| to_json("finish", finish)).transpose()?;
    let released = sql(
        "UPDATE tc_runs SET state = $4, finish = $5, epoch = epoch + 1, lease_owner = NULL, lease_until = NULL, updated_at = $6 \
         WHERE org_id = $1 AND id = $2 AND epoch = $3",
    )
    .bind(lease.org.to_string())
    .bind(lease.run.to_string())
    .bind(lease.epoch)
    .bind(state.name())
    .bind(finish)
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(released.rows_affected() == 1)
}

/// Active runs, of every organisation, that nobody works on.
///
/// # Errors
/// When the database fails.
pub async fn recoverable(
    from: &mut impl ReadFrom,
    now: i64,
    limit: u32,
) -> Result<Vec<RunRow>, StoreError> {
    let rows = sql(
        "SELECT * FROM tc_runs WHERE state = 'active' AND (lease_owner IS NULL OR lease_until <= $1) ORDER BY updated_at LIMIT $2",
    )
    .bind(now)
    .bind(i64::from(limit))
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// Frees every lease. Only for the one server of an embedded database, when it starts: whatever
/// is held then is held by a server that died.
///
/// # Errors
/// When the database fails.
pub async fn free_all(unit: &mut Unit) -> Result<(), StoreError> {
    sql("UPDATE tc_runs SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL")
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}
