//! Queries that people saved under a name.

use serde_json::Value;
use toolcrib::id::{OrgId, UserId};

use super::row::{json, parsed, to_json};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A saved query, as it is stored.
#[derive(Clone, Debug)]
pub struct SavedQueryRow {
    /// The name in calls.
    pub name: String,
    /// What a file of it would hold.
    pub definition: Value,
    /// Who saved it first; this one may overwrite it.
    pub owner: UserId,
    /// Counts up with each save.
    pub version: i64,
}

fn read_row(row: &Row) -> Result<SavedQueryRow, StoreError> {
    Ok(SavedQueryRow {
        name: row.try_get("name")?,
        definition: json(row, "definition")?,
        owner: parsed(row, "owner_id")?,
        version: row.try_get("version")?,
    })
}

/// The saved query of that name.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    name: &str,
) -> Result<Option<SavedQueryRow>, StoreError> {
    let row = sql(
        "SELECT name, definition, owner_id, version FROM tc_saved_queries WHERE org_id = $1 AND name = $2",
    )
    .bind(org.to_string())
    .bind(name)
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// All saved queries, by name.
///
/// # Errors
/// When the database fails.
pub async fn all(from: &mut impl ReadFrom, org: OrgId) -> Result<Vec<SavedQueryRow>, StoreError> {
    let rows = sql(
        "SELECT name, definition, owner_id, version FROM tc_saved_queries WHERE org_id = $1 ORDER BY name",
    )
    .bind(org.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// Saves a query, in place of one of that name; its owner stays the first one's.
///
/// # Errors
/// When the database fails.
pub async fn save(
    unit: &mut Unit,
    org: OrgId,
    row: &SavedQueryRow,
    at: i64,
) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_saved_queries (org_id, name, definition, owner_id, version, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, 1, $5, $5) \
         ON CONFLICT (org_id, name) DO UPDATE SET \
           definition = excluded.definition, version = tc_saved_queries.version + 1, updated_at = excluded.updated_at",
    )
    .bind(org.to_string())
    .bind(&row.name)
    .bind(to_json("definition", &row.definition)?)
    .bind(row.owner.to_string())
    .bind(at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}
