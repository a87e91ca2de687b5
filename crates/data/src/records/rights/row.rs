use sea_query::{Expr, ExprTrait, Query, SelectStatement};

use crate::records::access::Access;
use crate::records::criteria::condition::{Condition, Test, Under, never};
use crate::records::criteria::path::Path;
use crate::records::links::{Link, Others};
use crate::records::model::Model;
use crate::records::names::{raw, raw_id, stored, table};
use crate::records::sql::Dialect;
use crate::records::sql::stored::Stored;

/// A grant's condition on the row of that alias.
///
/// It stands for itself: relations are followed in sub-queries and whatever the user may read
/// of them, since it is the administrator's statement, not the user's. So it can be put
/// wherever an expression can: into WHERE, the ON of a join, a CASE.
pub(crate) fn row_expr(
    access: &Access,
    model: &Model,
    alias: &str,
    condition: &Condition<'_>,
) -> Expr {
    let dialect = model.dialect();
    condition.expr(&mut |path, test, under| match under {
        _ if path.field.is_link() => list(access, model, alias, path, test),
        Under::Open if !test.matches_null() => among(access, dialect, alias, (path, 0), test),
        _ => {
            let end = Stored {
                raw: value(access, dialect, alias, path, 0),
                field: path.field,
                dialect,
            };
            end.test(test)
        }
    })
}

/// The test of what a field leads to, whatever of it the user may read.
fn list(access: &Access, model: &Model, alias: &str, path: &Path<'_>, test: &Test) -> Expr {
    let end = path.hops.last().map_or(model, |(_, target)| target);
    let (Some(link), Some(id)) = (Link::of(access, end, path.field), end.id()) else {
        return never();
    };
    let of_end = Path {
        hops: path.hops.clone(),
        field: id,
    };
    let own = value(access, model.dialect(), alias, &of_end, 0);
    link.test(&own, alias, Others::All, test)
}

/// `alias.relation IN (SELECT id … WHERE test)`: true exactly when the test of the value at the
/// end is; what is null there is false here, which under no `not` is the same.
fn among(
    access: &Access,
    dialect: Dialect,
    alias: &str,
    (path, depth): (&Path<'_>, usize),
    test: &Test,
) -> Expr {
    let Some((relation, target)) = path.hops.get(depth) else {
        return stored(dialect, alias, path.field).test(test);
    };
    let inner = inner_alias(alias, depth);
    let mut select = related(access, target, &inner);
    select.expr(raw_id(target, &inner)).and_where(among(
        access,
        dialect,
        &inner,
        (path, depth + 1),
        test,
    ));
    raw(dialect, alias, relation).in_subquery(select)
}

/// What is stored at the end of the path; null where a relation on the way is empty.
fn value(access: &Access, dialect: Dialect, alias: &str, path: &Path<'_>, depth: usize) -> Expr {
    let Some((relation, target)) = path.hops.get(depth) else {
        return raw(dialect, alias, path.field);
    };
    let inner = inner_alias(alias, depth);
    let mut select = related(access, target, &inner);
    select
        .expr(value(access, dialect, &inner, path, depth + 1))
        .and_where(raw_id(target, &inner).eq(raw(dialect, alias, relation)));
    Expr::SubQuery(None, Box::new(select.into()))
}

fn related(access: &Access, target: &Model, alias: &str) -> SelectStatement {
    let mut select = Query::select();
    select.from_as(table(&access.org_slug, target), alias.to_owned());
    select
}

fn inner_alias(alias: &str, depth: usize) -> String {
    format!("{alias}_{depth}")
}
