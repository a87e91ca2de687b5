use sea_query::{Condition as SqlCondition, Expr, ExprTrait, Query};

use crate::records::access::Access;
use crate::records::criteria::path::Path;
use crate::records::model::{Field, ID, Model};
use crate::records::names::{column, table};
use crate::records::rights::allowed::{Shows, View};

/// Makes the aliases of a statement. None comes from a caller.
#[derive(Debug, Default)]
pub(super) struct Aliases(usize);

impl Aliases {
    pub(super) fn next(&mut self, prefix: &str) -> String {
        let alias = format!("{prefix}{}", self.0);
        self.0 += 1;
        alias
    }
}

/// The value at the end of a path from the row of `alias`, as the user may read it: null where
/// a field, or a record on the way, or the record that a relation leads to, can't be read.
///
/// Relations are followed in sub-queries, so that a path can stand wherever a value can, also in
/// the ON of the join that brings its own alias.
pub(super) fn value<'a>(
    access: &'a Access,
    aliases: &mut Aliases,
    (alias, view): (&str, &View<'a>),
    path: &Path<'a>,
) -> Expr {
    follow(access, aliases, (alias, view), &path.hops, path.field)
}

fn follow<'a>(
    access: &'a Access,
    aliases: &mut Aliases,
    (alias, view): (&str, &View<'a>),
    hops: &[(&'a Field, &'a Model)],
    field: &'a Field,
) -> Expr {
    let Some(((relation, target), rest)) = hops.split_first() else {
        return match access.catalog.target(field) {
            Some(target) => {
                let shown = shown(view, alias, field);
                withheld(access, aliases, shown, target)
            }
            None => shown(view, alias, field),
        };
    };
    let inner = aliases.next("h");
    let target_view = View::of(access, target);
    let end = follow(access, aliases, (&inner, &target_view), rest, field);
    let mut select = Query::select();
    select
        .expr(end)
        .from_as(table(&access.org_slug, &target.name), inner.clone())
        .and_where(column(&inner, ID).eq(shown(view, alias, relation)))
        .and_where_option(target_view.rows(&inner));
    Expr::SubQuery(None, Box::new(select.into()))
}

/// The stored value of a field of the row, null where the user may not read it. Of a relation it
/// is the id, whether or not the other record can be read.
pub(super) fn shown(view: &View<'_>, alias: &str, field: &Field) -> Expr {
    let stored = column(alias, &field.name);
    match view.field(field, alias) {
        Shows::Always => stored,
        Shows::Never => Expr::null(),
        Shows::When(condition) => Expr::case(SqlCondition::all().add(condition), stored)
            .finally(Expr::null())
            .into(),
    }
}

/// The id in a relation, null where the record that it leads to can't be read.
fn withheld(access: &Access, aliases: &mut Aliases, id: Expr, target: &Model) -> Expr {
    let inner = aliases.next("h");
    let Some(rows) = View::of(access, target).rows(&inner) else {
        return id;
    };
    let mut select = Query::select();
    select
        .expr(column(&inner, ID))
        .from_as(table(&access.org_slug, &target.name), inner.clone())
        .and_where(column(&inner, ID).eq(id))
        .and_where(rows);
    Expr::SubQuery(None, Box::new(select.into()))
}
