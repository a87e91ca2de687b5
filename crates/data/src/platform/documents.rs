//! Files of the workspace that were made in the web app, with all their versions.

use toolcrib::id::{OrgId, UserId};

use super::row::parsed;
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A version of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRow {
    /// Where it would be in the workspace folder, for example `models/order.yaml`.
    pub path: String,
    /// Counts up with each save.
    pub version: i64,
    /// What is in it; none where this version took it away.
    pub text: Option<String>,
    /// Who saved it.
    pub saved_by: UserId,
    /// When.
    pub saved_at: i64,
}

fn read_row(row: &Row) -> Result<DocumentRow, StoreError> {
    Ok(DocumentRow {
        path: row.try_get("path")?,
        version: row.try_get("version")?,
        text: row.try_get("text")?,
        saved_by: parsed(row, "saved_by")?,
        saved_at: row.try_get("saved_at")?,
    })
}

/// The documents that there are, by path.
///
/// # Errors
/// When the database fails.
pub async fn current(from: &mut impl ReadFrom, org: OrgId) -> Result<Vec<DocumentRow>, StoreError> {
    let rows = sql(
        "SELECT path, version, text, saved_by, saved_at FROM tc_documents AS d \
         WHERE org_id = $1 AND text IS NOT NULL AND version = \
           (SELECT max(version) FROM tc_documents AS o WHERE o.org_id = d.org_id AND o.path = d.path) \
         ORDER BY path",
    )
    .bind(org.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// The newest version of a document; one that went has no text.
///
/// # Errors
/// When the database fails.
pub async fn newest(
    from: &mut impl ReadFrom,
    org: OrgId,
    path: &str,
) -> Result<Option<DocumentRow>, StoreError> {
    let row = sql(
        "SELECT path, version, text, saved_by, saved_at FROM tc_documents \
         WHERE org_id = $1 AND path = $2 ORDER BY version DESC LIMIT 1",
    )
    .bind(org.to_string())
    .bind(path)
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Saves the next version of a document. Answers with nothing if that version is there already.
///
/// # Errors
/// When the database fails.
pub async fn save(
    unit: &mut Unit,
    org: OrgId,
    row: &DocumentRow,
) -> Result<Option<()>, StoreError> {
    let done = sql(
        "INSERT INTO tc_documents (org_id, path, version, text, saved_by, saved_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    )
    .bind(org.to_string())
    .bind(&row.path)
    .bind(row.version)
    .bind(row.text.clone())
    .bind(row.saved_by.to_string())
    .bind(row.saved_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok((done.rows_affected() == 1).then_some(()))
}

/// How often people saved documents and rows of tools: another number tells that there is something new. What
/// servers bring up to date by themselves does not count, or two of them would never come to rest.
///
/// # Errors
/// When the database fails.
pub async fn saves(from: &mut impl ReadFrom, org: OrgId) -> Result<i64, StoreError> {
    let row = sql(
        "SELECT (SELECT count(*) FROM tc_documents WHERE org_id = $1) \
              + (SELECT count(*) FROM tc_tool_versions WHERE org_id = $1 AND saved_by IS NOT NULL) AS saves",
    )
    .bind(org.to_string())
    .fetch_one(&mut from.as_conn().await?)
    .await?;
    Ok(row.try_get("saves")?)
}
