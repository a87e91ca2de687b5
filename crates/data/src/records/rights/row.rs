use sea_query::{Expr, ExprTrait, Query, SelectStatement};

use crate::records::access::Access;
use crate::records::criteria::condition::{Condition, Test, Under};
use crate::records::criteria::path::Path;
use crate::records::model::{ID, Model};
use crate::records::names::{column, table};

/// A grant's condition on the row of that alias.
///
/// It stands for itself: relations are followed in sub-queries and whatever the user may read
/// of them, since it is the administrator's statement, not the user's. So it can be put
/// wherever an expression can: into WHERE, the ON of a join, a CASE.
pub(crate) fn row_expr(access: &Access, alias: &str, condition: &Condition<'_>) -> Expr {
    condition.expr(&mut |path, test, under| match under {
        Under::Open if !test.matches_null() => among(access, alias, path, 0, test),
        _ => test.expr(value(access, alias, path, 0)),
    })
}

/// `alias.relation IN (SELECT id … WHERE test)`: true exactly when the test of the value at the
/// end is; what is null there is false here, which under no `not` is the same.
fn among(access: &Access, alias: &str, path: &Path<'_>, depth: usize, test: &Test) -> Expr {
    let Some((relation, target)) = path.hops.get(depth) else {
        return test.expr(column(alias, &path.field.name));
    };
    let inner = inner_alias(alias, depth);
    let mut select = related(access, target, &inner);
    select
        .expr(column(&inner, ID))
        .and_where(among(access, &inner, path, depth + 1, test));
    column(alias, &relation.name).in_subquery(select)
}

/// The value at the end of the path; null where a relation on the way is empty.
fn value(access: &Access, alias: &str, path: &Path<'_>, depth: usize) -> Expr {
    let Some((relation, target)) = path.hops.get(depth) else {
        return column(alias, &path.field.name);
    };
    let inner = inner_alias(alias, depth);
    let mut select = related(access, target, &inner);
    select
        .expr(value(access, &inner, path, depth + 1))
        .and_where(column(&inner, ID).eq(column(alias, &relation.name)));
    Expr::SubQuery(None, Box::new(select.into()))
}

fn related(access: &Access, target: &Model, alias: &str) -> SelectStatement {
    let mut select = Query::select();
    select.from_as(table(&access.org_slug, &target.name), alias.to_owned());
    select
}

fn inner_alias(alias: &str, depth: usize) -> String {
    format!("{alias}_{depth}")
}
