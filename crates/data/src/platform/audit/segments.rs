use toolcrib::id::OrgId;

use super::events::Mark;
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A sealed part of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its number, from 1.
    pub number: i64,
    /// The number of its first entry.
    pub first_seq: i64,
    /// The number of its last entry.
    pub last_seq: i64,
    /// The entries, a JSON line each.
    pub entries: String,
    /// The salts of payloads, by call, as JSON; what is erased has none.
    pub salts: String,
    /// Which key sealed it.
    pub key_id: String,
    /// What proves it, and all before it.
    pub mac: String,
    /// Where its last entry is among the transitions.
    pub mark: Mark,
    /// When it was sealed.
    pub sealed_at: i64,
}

/// Where the chain begins, once what was before is pruned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The last segment that is gone.
    pub segment: i64,
    /// Its last entry.
    pub last_seq: i64,
    /// Where that was among the transitions.
    pub mark: Mark,
    /// What proved it, and all before it.
    pub mac: String,
    /// Which key signed the checkpoint.
    pub key_id: String,
    /// What proves the checkpoint.
    pub signature: String,
    /// When it was made.
    pub pruned_at: i64,
}

const COLUMNS: &str =
    "segment, first_seq, last_seq, entries, salts, key_id, mac, mark_unit, mark_row, sealed_at";

fn read_mark(row: &Row) -> Result<Mark, StoreError> {
    Ok(Mark {
        unit: row.try_get("mark_unit")?,
        row: row.try_get("mark_row")?,
    })
}

fn read_segment(row: &Row) -> Result<Segment, StoreError> {
    Ok(Segment {
        number: row.try_get("segment")?,
        first_seq: row.try_get("first_seq")?,
        last_seq: row.try_get("last_seq")?,
        entries: row.try_get("entries")?,
        salts: row.try_get("salts")?,
        key_id: row.try_get("key_id")?,
        mac: row.try_get("mac")?,
        mark: read_mark(row)?,
        sealed_at: row.try_get("sealed_at")?,
    })
}

/// The newest segment.
///
/// # Errors
/// When the database fails.
pub async fn last(from: &mut impl ReadFrom, org: OrgId) -> Result<Option<Segment>, StoreError> {
    let text = format!(
        "SELECT {COLUMNS} FROM tc_audit_segments WHERE org_id = $1 ORDER BY segment DESC LIMIT 1"
    );
    let row = sql(text)
        .bind(org.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_segment).transpose()
}

/// Segments after that number, in order.
///
/// # Errors
/// When the database fails.
pub async fn segments(
    from: &mut impl ReadFrom,
    org: OrgId,
    after: i64,
    limit: u32,
) -> Result<Vec<Segment>, StoreError> {
    let text = format!(
        "SELECT {COLUMNS} FROM tc_audit_segments WHERE org_id = $1 AND segment > $2 ORDER BY segment LIMIT $3"
    );
    let rows = sql(text)
        .bind(org.to_string())
        .bind(after)
        .bind(i64::from(limit))
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_segment).collect()
}

/// The segments that keep a salt for a call: the salts name it.
///
/// # Errors
/// When the database fails.
pub async fn segment_of(
    from: &mut impl ReadFrom,
    org: OrgId,
    call: &str,
) -> Result<Vec<Segment>, StoreError> {
    let text = format!(
        "SELECT {COLUMNS} FROM tc_audit_segments WHERE org_id = $1 AND salts LIKE $2 ORDER BY segment"
    );
    let rows = sql(text)
        .bind(org.to_string())
        .bind(format!("%\"{call}\"%"))
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_segment).collect()
}

/// The newest segment, but the last one, that was sealed before then.
///
/// # Errors
/// When the database fails.
pub async fn newest_segment_before(
    from: &mut impl ReadFrom,
    org: OrgId,
    at: i64,
) -> Result<Option<Segment>, StoreError> {
    let text = format!(
        "SELECT {COLUMNS} FROM tc_audit_segments WHERE org_id = $1 AND sealed_at < $2 \
           AND segment < (SELECT max(segment) FROM tc_audit_segments WHERE org_id = $1) \
         ORDER BY segment DESC LIMIT 1"
    );
    let row = sql(text)
        .bind(org.to_string())
        .bind(at)
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_segment).transpose()
}

/// Adds a segment. Answers with nothing if one of its number is there already.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    unit: &mut Unit,
    org: OrgId,
    segment: &Segment,
) -> Result<Option<()>, StoreError> {
    let done = sql(format!(
        "INSERT INTO tc_audit_segments (org_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT DO NOTHING"
    ))
    .bind(org.to_string())
    .bind(segment.number)
    .bind(segment.first_seq)
    .bind(segment.last_seq)
    .bind(&segment.entries)
    .bind(&segment.salts)
    .bind(&segment.key_id)
    .bind(&segment.mac)
    .bind(segment.mark.unit)
    .bind(segment.mark.row)
    .bind(segment.sealed_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok((done.rows_affected() == 1).then_some(()))
}

/// Puts other salts into a segment.
///
/// # Errors
/// When the database fails.
pub async fn replace_salts(
    unit: &mut Unit,
    org: OrgId,
    segment: i64,
    salts: &str,
) -> Result<(), StoreError> {
    sql("UPDATE tc_audit_segments SET salts = $3 WHERE org_id = $1 AND segment = $2")
        .bind(org.to_string())
        .bind(segment)
        .bind(salts)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// The newest checkpoint.
///
/// # Errors
/// When the database fails.
pub async fn checkpoint(
    from: &mut impl ReadFrom,
    org: OrgId,
) -> Result<Option<Checkpoint>, StoreError> {
    let row = sql(
        "SELECT segment, last_seq, mark_unit, mark_row, mac, key_id, signature, pruned_at \
         FROM tc_audit_checkpoints WHERE org_id = $1 ORDER BY segment DESC LIMIT 1",
    )
    .bind(org.to_string())
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_checkpoint).transpose()
}

fn read_checkpoint(row: &Row) -> Result<Checkpoint, StoreError> {
    Ok(Checkpoint {
        segment: row.try_get("segment")?,
        last_seq: row.try_get("last_seq")?,
        mark: read_mark(row)?,
        mac: row.try_get("mac")?,
        key_id: row.try_get("key_id")?,
        signature: row.try_get("signature")?,
        pruned_at: row.try_get("pruned_at")?,
    })
}

/// Drops segments up to a checkpoint, their transitions, and the calls that ended in them and
/// belong to no conversation; keeps the checkpoint.
///
/// # Errors
/// When the database fails.
pub async fn drop_before(unit: &mut Unit, org: OrgId, at: &Checkpoint) -> Result<(), StoreError> {
    let mut conn = unit.as_conn().await?;
    let org = org.to_string();
    sql(
        "INSERT INTO tc_audit_checkpoints (org_id, segment, last_seq, mark_unit, mark_row, mac, key_id, signature, pruned_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
    )
    .bind(&org)
    .bind(at.segment)
    .bind(at.last_seq)
    .bind(at.mark.unit)
    .bind(at.mark.row)
    .bind(&at.mac)
    .bind(&at.key_id)
    .bind(&at.signature)
    .bind(at.pruned_at)
    .execute(&mut conn)
    .await?;
    sql("DELETE FROM tc_audit_segments WHERE org_id = $1 AND segment <= $2")
        .bind(&org)
        .bind(at.segment)
        .execute(&mut conn)
        .await?;
    let before = match &conn {
        crate::conn::Conn::Postgres(_) => "(unit, pos) <= ($2::text::xid8, $3)",
        _ => "$2 >= 0 AND rowid <= $3",
    };
    sql(format!(
        "DELETE FROM tc_call_events WHERE org_id = $1 AND {before}"
    ))
    .bind(&org)
    .bind(at.mark.unit)
    .bind(at.mark.row)
    .execute(&mut conn)
    .await?;
    // What belongs to a call goes before it: what is left over could not be told to be anybody's.
    for table in [
        "tc_approvals",
        "tc_handles",
        "tc_grant_uses",
        "tc_record_calls",
        "tc_withheld",
        "tc_deliveries",
    ] {
        sql(format!(
            "DELETE FROM {table} WHERE org_id = $1 AND call_id IN (SELECT id FROM tc_calls WHERE org_id = $1 \
               AND conversation_id IS NULL AND ended_at IS NOT NULL AND NOT EXISTS \
                 (SELECT 1 FROM tc_call_events AS e WHERE e.org_id = tc_calls.org_id AND e.call_id = tc_calls.id))"
        ))
        .bind(&org)
        .execute(&mut conn)
        .await?;
    }
    sql(
        "DELETE FROM tc_calls WHERE org_id = $1 AND conversation_id IS NULL AND ended_at IS NOT NULL \
           AND NOT EXISTS (SELECT 1 FROM tc_call_events AS e WHERE e.org_id = tc_calls.org_id AND e.call_id = tc_calls.id)",
    )
    .bind(&org)
    .execute(&mut conn)
    .await?;
    Ok(())
}
