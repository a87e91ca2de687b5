//! What was kept from language models, by call.

use toolcrib::id::{CallId, OrgId};

use super::row::{json, to_json};
use crate::platform::sql::sql;
use crate::records::Withheld;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// What of one call was kept from a provider's language models.
#[derive(Clone, Debug)]
pub struct WithheldRow {
    /// The call.
    pub call: CallId,
    /// The provider.
    pub provider: String,
    /// How many values of which fields.
    pub fields: Withheld,
    /// When it was first so.
    pub at: i64,
}

/// Writes down what was kept, unless it is written down already.
///
/// # Errors
/// When the database fails.
pub async fn record(unit: &mut Unit, org: OrgId, row: &WithheldRow) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_withheld (org_id, call_id, provider, fields, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
    )
    .bind(org.to_string())
    .bind(row.call.to_string())
    .bind(&row.provider)
    .bind(to_json("withheld", &row.fields)?)
    .bind(row.at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// What of a call was kept, the first first.
///
/// # Errors
/// When the database fails.
pub async fn of_call(
    from: &mut impl ReadFrom,
    org: OrgId,
    call: CallId,
) -> Result<Vec<WithheldRow>, StoreError> {
    let rows = sql(
        "SELECT provider, fields, at FROM tc_withheld WHERE org_id = $1 AND call_id = $2 ORDER BY at, provider, fields",
    )
    .bind(org.to_string())
    .bind(call.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(WithheldRow {
                call,
                provider: row.try_get("provider")?,
                fields: json(row, "fields")?,
                at: row.try_get("at")?,
            })
        })
        .collect()
}
