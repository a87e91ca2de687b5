use toolcrib::id::{CallId, OrgId};

use super::{COLUMNS, CallRow, read_row};
use crate::platform::sql::sql;
use crate::records::Operation;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// What a call did with records of one model.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// The call.
    pub call: CallId,
    /// The model.
    pub model: &'a str,
    /// What was done.
    pub operation: Operation,
    /// When.
    pub at: i64,
}

/// A call in the activity of a record.
#[derive(Clone, Debug)]
pub struct ActivityRow {
    /// The call.
    pub call: CallRow,
    /// What it did with the record, by its stored name.
    pub operation: String,
    /// When.
    pub at: i64,
    /// The whole output, where it stands behind a handle that has not lapsed.
    pub large: Option<String>,
    /// The asker's name for people.
    pub asker_name: String,
}

/// Notes in the unit of a write which records it wrote.
///
/// # Errors
/// When the database fails.
pub async fn note_written(
    unit: &mut Unit,
    org: OrgId,
    written: Written<'_>,
    records: &[String],
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let rows: Vec<String> = (0..records.len())
        .map(|index| format!("($1, $2, ${}, $3, $4, $5)", index + 6))
        .collect();
    let mut insert = sql(format!(
        "INSERT INTO tc_record_calls (org_id, model, record_id, call_id, operation, at) \
         VALUES {} ON CONFLICT DO NOTHING",
        rows.join(", ")
    ))
    .bind(org.to_string())
    .bind(written.model)
    .bind(written.call.to_string())
    .bind(written.operation.name())
    .bind(written.at);
    for record in records {
        insert = insert.bind(record);
    }
    insert.execute(&mut unit.as_conn().await?).await?;
    Ok(())
}

/// The calls that wrote a record, newest first: at most `limit`, after `offset` others.
///
/// # Errors
/// When the database fails.
pub async fn of_record(
    from: &mut impl ReadFrom,
    org: OrgId,
    (model, record): (&str, &str),
    (limit, offset): (u32, u32),
) -> Result<Vec<ActivityRow>, StoreError> {
    let query = sql(format!(
        "SELECT {COLUMNS}, written.operation AS operation, written.at AS written_at, \
           (SELECT content FROM tc_handles WHERE org_id = $1 AND tc_handles.id = tc_calls.handle_id) AS large, \
           coalesce((SELECT name FROM tc_users WHERE org_id = $1 AND tc_users.id = tc_calls.asker_id), '') AS asker_name \
         FROM (SELECT call_id, operation, at FROM tc_record_calls \
               WHERE org_id = $1 AND model = $2 AND record_id = $3 ORDER BY at DESC, call_id DESC LIMIT $4 OFFSET $5) AS written \
         JOIN tc_calls ON tc_calls.org_id = $1 AND tc_calls.id = written.call_id \
         ORDER BY written.at DESC, written.call_id DESC"
    ));
    let rows = query
        .bind(org.to_string())
        .bind(model)
        .bind(record)
        .bind(i64::from(limit))
        .bind(i64::from(offset))
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(ActivityRow {
                call: read_row(row)?,
                operation: row.try_get("operation")?,
                at: row.try_get("written_at")?,
                large: row.try_get("large")?,
                asker_name: row.try_get("asker_name")?,
            })
        })
        .collect()
}

/// Forgets which calls wrote records of a model.
///
/// # Errors
/// When the database fails.
pub async fn forget_model(unit: &mut Unit, org: OrgId, model: &str) -> Result<(), StoreError> {
    sql("DELETE FROM tc_record_calls WHERE org_id = $1 AND model = $2")
        .bind(org.to_string())
        .bind(model)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}
