//! What a client sees of a run, chunk by chunk, so that it can be told again.

use sqlx::Row;
use toolcrib::id::{OrgId, RunId};

use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A batch of chunks.
#[derive(Clone, Debug)]
pub struct ChunkBatch {
    /// The lease under which it was sent.
    pub epoch: i64,
    /// Its place among the batches of that lease.
    pub seq: i64,
    /// The chunks, as a JSON array.
    pub chunks: String,
}

/// Appends a batch, if the lease still holds. Answers whether it does.
///
/// # Errors
/// When the database fails.
pub async fn append(unit: &mut Unit, org: OrgId, run: RunId, batch: &ChunkBatch, now: i64) -> Result<bool, StoreError> {
    let written = sqlx::query(
        "INSERT INTO tc_stream_chunks (org_id, run_id, epoch, seq, chunks, created_at) \
         SELECT $1, $2, $3, $4, $5, $6 WHERE EXISTS (SELECT 1 FROM tc_runs WHERE org_id = $1 AND id = $2 AND epoch = $3)",
    )
    .bind(org.to_string())
    .bind(run.to_string())
    .bind(batch.epoch)
    .bind(batch.seq)
    .bind(&batch.chunks)
    .bind(now)
    .execute(unit.as_conn()?.sqlite())
    .await?;
    Ok(written.rows_affected() == 1)
}

/// All batches of a run, in the order sent.
///
/// # Errors
/// When the database fails.
pub async fn read(from: &mut impl ReadFrom, org: OrgId, run: RunId) -> Result<Vec<ChunkBatch>, StoreError> {
    let rows = sqlx::query("SELECT epoch, seq, chunks FROM tc_stream_chunks WHERE org_id = $1 AND run_id = $2 ORDER BY epoch, seq")
        .bind(org.to_string())
        .bind(run.to_string())
        .fetch_all(from.as_conn()?.sqlite())
        .await?;
    rows.iter()
        .map(|row| {
            Ok(ChunkBatch { epoch: row.try_get("epoch")?, seq: row.try_get("seq")?, chunks: row.try_get("chunks")? })
        })
        .collect()
}
