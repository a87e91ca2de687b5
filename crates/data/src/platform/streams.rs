//! What a server tells of a run, kept for readers at others. A notification says that there is more.

use toolcrib::id::{OrgId, RunId};

use super::runs::Lease;
use super::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{Notice, ReadFrom, StoreError, Unit};

/// Keeps a batch of what is told under a lease, and tells other servers of it. Answers whether the run was
/// not taken over in between: the end is told when the lease was given back already.
///
/// # Errors
/// When the database fails.
pub async fn append(
    unit: &mut Unit,
    lease: &Lease,
    (seq, chunks): (i64, &str),
    now: i64,
) -> Result<bool, StoreError> {
    let written = sql(
        "INSERT INTO tc_stream_chunks (org_id, run_id, epoch, seq, chunks, created_at) \
         SELECT org_id, id, $3, $4, $5, $6 FROM tc_runs \
         WHERE org_id = $1 AND id = $2 AND (epoch = $3 OR (epoch = $3 + 1 AND lease_owner IS NULL))",
    )
    .bind(lease.org.to_string())
    .bind(lease.run.to_string())
    .bind(lease.epoch)
    .bind(seq)
    .bind(chunks)
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    if written.rows_affected() == 0 {
        return Ok(false);
    }
    let run = lease.run;
    Notice::Told { run, seq }.give(unit).await?;
    Ok(true)
}

/// The batches of one telling that come after `seq`, with their numbers, in order.
///
/// # Errors
/// When the database fails.
pub async fn after(
    from: &mut impl ReadFrom,
    (org, run): (OrgId, RunId),
    epoch: i64,
    seq: i64,
) -> Result<Vec<(i64, String)>, StoreError> {
    let rows = sql(
        "SELECT seq, chunks FROM tc_stream_chunks WHERE org_id = $1 AND run_id = $2 AND epoch = $3 AND seq > $4 ORDER BY seq",
    )
    .bind(org.to_string())
    .bind(run.to_string())
    .bind(epoch)
    .bind(seq)
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get("seq")?, row.try_get("chunks")?)))
        .collect()
}

/// Drops what was told before a moment, but for what is being told of runs under way.
///
/// # Errors
/// When the database fails.
pub async fn drop_before(unit: &mut Unit, before: i64) -> Result<(), StoreError> {
    sql("DELETE FROM tc_stream_chunks WHERE created_at < $1 AND NOT EXISTS \
         (SELECT 1 FROM tc_runs r WHERE r.org_id = tc_stream_chunks.org_id AND r.id = tc_stream_chunks.run_id \
            AND r.state = 'active' AND r.epoch <= tc_stream_chunks.epoch + 1)")
        .bind(before)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}
