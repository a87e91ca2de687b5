use std::collections::BTreeSet;

use toolcrib::id::{OrgId, RunId};
use toolcrib::model::Answer;

use crate::platform::row::{json, to_json};
use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// One model call of a run.
#[derive(Clone, Debug)]
pub struct StepRow {
    /// Its number, from 0.
    pub step: i64,
    /// Under which taking of the run it came about.
    pub epoch: i64,
    /// What the model answered.
    pub answer: Answer,
    /// What was kept from the model when it was asked, as `model.field`.
    pub withheld: BTreeSet<String>,
    /// When.
    pub created_at: i64,
}

/// Stores a step.
///
/// # Errors
/// When the database fails.
pub async fn insert_step(
    unit: &mut Unit,
    org: OrgId,
    run: RunId,
    step: &StepRow,
) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_steps (org_id, run_id, step, epoch, answer, meta, withheld, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(org.to_string())
    .bind(run.to_string())
    .bind(step.step)
    .bind(step.epoch)
    .bind(to_json("answer", &step.answer.message)?)
    .bind(to_json("meta", &step.answer.meta)?)
    .bind(match step.withheld.is_empty() {
        true => None,
        false => Some(to_json("withheld", &step.withheld)?),
    })
    .bind(step.created_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// The steps of a run, in order.
///
/// # Errors
/// When the database fails.
pub async fn steps(
    from: &mut impl ReadFrom,
    org: OrgId,
    run: RunId,
) -> Result<Vec<StepRow>, StoreError> {
    let rows = sql("SELECT step, epoch, answer, meta, withheld, created_at FROM tc_steps WHERE org_id = $1 AND run_id = $2 ORDER BY step")
        .bind(org.to_string())
        .bind(run.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(StepRow {
                step: row.try_get("step")?,
                epoch: row.try_get("epoch")?,
                answer: Answer {
                    message: json(row, "answer")?,
                    meta: json(row, "meta")?,
                },
                withheld: match row.try_get::<Option<&str>>("withheld")? {
                    Some(_) => json(row, "withheld")?,
                    None => BTreeSet::new(),
                },
                created_at: row.try_get("created_at")?,
            })
        })
        .collect()
}
