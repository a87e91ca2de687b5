//! Whether a record, as it is or as it would be, is one that a grant is about.

use sea_query::{Expr, Query};

use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::criteria::condition::Condition;
use crate::records::error::RecordError;
use crate::records::ids::Key;
use crate::records::model::{Field, Model};
use crate::records::names::{has_id, id, table};
use crate::records::read::storage;
use crate::records::rights::allowed::Allowed;
use crate::records::run_sql::{Statement, rows};
use crate::records::scope::ROOT;
use crate::records::values::cell::Cell;

/// The conditions of the grants on a row, as columns of 1 and 0.
pub(crate) fn flags(access: &Access, grants: &[Allowed<'_>], alias: &str) -> Vec<Expr> {
    grants
        .iter()
        .map(|grant| flag(grant.expr(access, alias)))
        .collect()
}

/// Null, from a comparison with something empty, is no.
fn flag(condition: Expr) -> Expr {
    Expr::case(
        sea_query::Condition::all().add(condition),
        Expr::Constant(1_i64.into()),
    )
    .finally(Expr::Constant(0_i64.into()))
    .into()
}

/// Which flags are set.
pub(crate) fn set(flags: &[Cell]) -> Vec<usize> {
    flags
        .iter()
        .enumerate()
        .filter(|(_, flag)| **flag == Cell::Int(1))
        .map(|(index, _)| index)
        .collect()
}

/// Which grants are about a record that is only imagined: its columns are these values.
pub(crate) async fn of_imagined(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    grants: &[Allowed<'_>],
    columns: &[(&Field, Cell)],
) -> Result<Vec<usize>, RecordError> {
    if grants.iter().all(|grant| grant.condition.is_none()) {
        return Ok((0..grants.len()).collect());
    }
    let dialect = model.dialect();
    let statement = {
        let mut row = Query::select();
        for (field, cell) in columns {
            let value = dialect.sql().write(&field.column_type, &field.kind, cell);
            row.expr_as(value, field.column().to_owned());
        }
        let mut select = Query::select();
        select
            .exprs(flags(access, grants, ROOT))
            .from_subquery(row, ROOT);
        Statement::of(dialect, &select)
    };
    let found = rows(conn, statement).await.map_err(storage)?;
    let mut holding = found.first().map(|row| set(row)).unwrap_or_default();
    // What a record leads to can't be imagined; it is looked at when it is written.
    let numbered = grants.iter().enumerate();
    let open = numbered.filter(|(_, grant)| {
        let condition = grant.condition.as_ref();
        condition.is_some_and(Condition::is_about_lists)
    });
    holding.extend(open.map(|(index, _)| index));
    Ok(holding)
}

/// Which grants are about each of these records, as they are stored.
pub(crate) async fn of_stored(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    grants: &[Allowed<'_>],
    ids: &[Key],
) -> Result<Vec<(Key, Vec<usize>)>, RecordError> {
    if grants.iter().all(|grant| grant.condition.is_none()) {
        let all = || (0..grants.len()).collect();
        return Ok(ids.iter().map(|id| (id.clone(), all())).collect());
    }
    let statement = {
        let mut select = Query::select();
        select
            .expr(id(model, ROOT))
            .exprs(flags(access, grants, ROOT))
            .from_as(table(&access.org_slug, model), ROOT)
            .and_where(has_id(model, Some(ROOT), ids));
        Statement::of(model.dialect(), &select)
    };
    let found = rows(conn, statement).await.map_err(storage)?;
    let flags = |row: &Vec<Cell>| row.get(1..).map(set).unwrap_or_default();
    Ok(found
        .iter()
        .filter_map(|row| Some((row.first().and_then(Key::of)?, flags(row))))
        .collect())
}
