//! Settings of an organisation that were made in the web app.

use serde_json::Value;
use toolcrib::id::{OrgId, UserId};

use super::row::{json, to_json};
use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// The value of a setting.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    key: &str,
) -> Result<Option<Value>, StoreError> {
    let row = sql("SELECT value FROM tc_settings WHERE org_id = $1 AND key = $2")
        .bind(org.to_string())
        .bind(key)
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(|row| json(row, "value")).transpose()
}

/// Sets a setting.
///
/// # Errors
/// When the database fails.
pub async fn set(
    unit: &mut Unit,
    org: OrgId,
    key: &str,
    value: &Value,
    by: Option<UserId>,
    now: i64,
) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_settings (org_id, key, value, updated_at, updated_by) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (org_id, key) DO UPDATE SET value = $3, updated_at = $4, updated_by = $5",
    )
    .bind(org.to_string())
    .bind(key)
    .bind(to_json("setting", value)?)
    .bind(now)
    .bind(by.map(|id| id.to_string()))
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}
