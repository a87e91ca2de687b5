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
use crate::{StoreError, Unit};

const TABLE: &str = "tc_models";

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
    let dialect = conn.dialect();
    let applied = applied(&mut conn, org_slug).await?;
    let diff = Diff::between(&applied, catalog);
    let mut applier = Applier {
        conn: &mut conn,
        dialect,
        org_slug,
        catalog,
    };
    let reasons = applier.blocked(&diff).await?;
    if !reasons.is_empty() {
        return Err(MigrateError::Blocked { reasons });
    }
    let losses = applier.losses(&diff).await?;
    if !losses.is_empty() && !allow_data_loss {
        return Err(MigrateError::DataLoss { losses });
    }
    // Each is listed before the first one runs.
    let steps = diff.steps();
    for step in &steps {
        tracing::info!(%step, "a data model is migrated");
    }
    applier.apply(&diff).await?;
    record(&mut conn, org_slug, &applied, catalog).await?;
    Ok(steps)
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
