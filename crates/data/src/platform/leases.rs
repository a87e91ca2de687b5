//! Work of which one server at a time does a kind.

use toolcrib::id::OrgId;

use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

/// Takes the work of that name until then, if nobody else has it; who has it takes it longer. A
/// taking that changes hands raises the epoch. Answers with the epoch.
///
/// # Errors
/// When the database fails.
pub async fn claim(
    unit: &mut Unit,
    org: OrgId,
    name: &str,
    owner: &str,
    (now, until): (i64, i64),
) -> Result<Option<i64>, StoreError> {
    let row = sql(
        "INSERT INTO tc_leases (org_id, name, owner, epoch, until) VALUES ($1, $2, $3, 1, $5) \
         ON CONFLICT (org_id, name) DO UPDATE SET \
           epoch = tc_leases.epoch + CASE WHEN tc_leases.owner = excluded.owner THEN 0 ELSE 1 END, \
           owner = excluded.owner, until = excluded.until \
         WHERE tc_leases.owner = excluded.owner OR tc_leases.until <= $4 RETURNING epoch",
    )
    .bind(org.to_string())
    .bind(name)
    .bind(owner)
    .bind(now)
    .bind(until)
    .fetch_optional(&mut unit.as_conn().await?)
    .await?;
    Ok(row.map(|row| row.try_get("epoch")).transpose()?)
}

/// Gives work back that this owner has, so that another server need not wait for it.
///
/// # Errors
/// When the database fails.
pub async fn release(
    unit: &mut Unit,
    org: OrgId,
    name: &str,
    owner: &str,
) -> Result<(), StoreError> {
    sql("UPDATE tc_leases SET until = 0 WHERE org_id = $1 AND name = $2 AND owner = $3")
        .bind(org.to_string())
        .bind(name)
        .bind(owner)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// Gives all work back, of every organisation: who had it is gone.
///
/// # Errors
/// When the database fails.
pub async fn free_all(unit: &mut Unit) -> Result<(), StoreError> {
    let free = sql("UPDATE tc_leases SET until = 0");
    free.execute(&mut unit.as_conn().await?).await?;
    Ok(())
}
