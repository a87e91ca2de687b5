//! Brings the tables of an organisation's models up to date.

mod apply;
mod diff;
mod pairs;
mod step;

use std::collections::BTreeMap;

use sea_query::{Expr, ExprTrait, OnConflict, Query};

pub use step::{MigrateError, MigrationStep};

use self::apply::Applier;
use self::diff::Diff;
use super::catalog::Catalog;
use super::model::Model;
use super::run_sql::{Statement, execute, rows};
use super::values::cell::Cell;
use crate::conn::Conn;
use crate::{ReadFrom, StoreError, Unit};

const TABLE: &str = "tc_models";

/// What it takes to bring tables to where models want them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationPlan {
    /// What is to be done, in its order.
    pub steps: Vec<MigrationStep>,
    /// What is lost by it, in words.
    pub losses: Vec<String>,
    /// Why it can't be done: what is stored and does not fit, and what to do.
    pub reasons: Vec<String>,
}

/// Says what [`migrate`] would do; changes nothing.
///
/// # Errors
/// When the database fails.
pub async fn plan_migration(
    from: &mut impl ReadFrom,
    org_slug: &str,
    catalog: &Catalog,
) -> Result<MigrationPlan, StoreError> {
    let mut conn = from.as_conn().await?;
    let applied = applied(&mut conn, org_slug).await?;
    let diff = Diff::between(&applied, catalog);
    Applier::new(&mut conn, org_slug, catalog).plan(&diff).await
}

/// Creates and changes tables until they fit the models; answers with what was done.
///
/// # Errors
/// A change that loses data is refused unless `allow_data_loss`, and one that the stored rows
/// stand against is refused always; each error lists all of them, and nothing was changed.
pub async fn migrate(
    unit: &mut Unit,
    org_slug: &str,
    catalog: &Catalog,
    allow_data_loss: bool,
) -> Result<Vec<MigrationStep>, MigrateError> {
    if !is_slug(org_slug) {
        let reason = format!("`{org_slug}` can't stand in the names of tables");
        return Err(MigrateError::Blocked {
            reasons: vec![reason],
        });
    }
    let mut conn = unit.conn()?;
    let applied = applied(&mut conn, org_slug).await?;
    let diff = Diff::between(&applied, catalog);
    let mut applier = Applier::new(&mut conn, org_slug, catalog);
    let plan = applier.plan(&diff).await?;
    if !plan.reasons.is_empty() {
        return Err(MigrateError::Blocked {
            reasons: plan.reasons,
        });
    }
    if !plan.losses.is_empty() && !allow_data_loss {
        return Err(MigrateError::DataLoss {
            losses: plan.losses,
        });
    }
    // Each is listed before the first one runs.
    for step in &plan.steps {
        tracing::info!(%step, "a data model is migrated");
    }
    applier.apply(&diff).await?;
    record(&mut conn, org_slug, &applied, catalog).await?;
    Ok(plan.steps)
}

fn is_slug(slug: &str) -> bool {
    (1..=63).contains(&slug.len())
        && slug
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}

async fn applied(
    conn: &mut Conn<'_>,
    org_slug: &str,
) -> Result<BTreeMap<String, Model>, StoreError> {
    let statement = {
        let mut select = Query::select();
        select
            .columns(["name", "definition"])
            .from(TABLE)
            .and_where(Expr::col("org_slug").eq(org_slug));
        Statement::of(conn.dialect(), &select)
    };
    let mut models = BTreeMap::new();
    for row in rows(conn, statement).await? {
        if let [Cell::Text(name), Cell::Text(definition)] = row.as_slice() {
            let model = serde_json::from_str(definition).map_err(|source| StoreError::Stored {
                what: "a data model",
                source,
            })?;
            models.insert(name.clone(), model);
        }
    }
    Ok(models)
}

async fn record(
    conn: &mut Conn<'_>,
    org_slug: &str,
    applied: &BTreeMap<String, Model>,
    catalog: &Catalog,
) -> Result<(), StoreError> {
    for model in catalog
        .own()
        .filter(|model| applied.get(&model.name) != Some(model))
    {
        let definition = serde_json::to_string(model).map_err(|source| StoreError::Stored {
            what: "a data model",
            source,
        })?;
        let statement = {
            let mut insert = Query::insert();
            insert
                .into_table(TABLE)
                .columns(["org_slug", "name", "definition"])
                .values_panic([
                    org_slug.into(),
                    model.name.as_str().into(),
                    definition.into(),
                ])
                .on_conflict(
                    OnConflict::columns(["org_slug", "name"])
                        .update_column("definition")
                        .to_owned(),
                );
            Statement::of(conn.dialect(), &insert)
        };
        execute(conn, statement).await?;
    }
    for name in applied
        .keys()
        .filter(|name| catalog.own().all(|model| model.name != **name))
    {
        let statement = {
            let mut delete = Query::delete();
            delete
                .from_table(TABLE)
                .and_where(Expr::col("org_slug").eq(org_slug))
                .and_where(Expr::col("name").eq(name.as_str()));
            Statement::of(conn.dialect(), &delete)
        };
        execute(conn, statement).await?;
    }
    Ok(())
}
