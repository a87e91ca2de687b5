use sea_query::{Expr, ExprTrait, Query};

use crate::records::access::Access;
use crate::records::criteria::path::Path;
use crate::records::model::{Field, Model};
use crate::records::names::{raw_id, table};
use crate::records::rights::allowed::View;
use crate::records::sql::Dialect;
use crate::records::sql::stored::Stored;

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

/// What a user sees of the rows of a database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) access: &'a Access,
    pub(super) dialect: Dialect,
}

impl<'a> Seen<'a> {
    /// What is stored at the end of a path from the row of `alias`, as the user may read it: null
    /// where a field, or a record on the way, or the record that a relation leads to, can't be read.
    ///
    /// Relations are followed in sub-queries, so that a path can stand wherever a value can, also
    /// in the ON of the join that brings its own alias.
    pub(super) fn value(
        self,
        aliases: &mut Aliases,
        row: (&str, &View<'a>),
        path: &Path<'a>,
    ) -> Stored<'a> {
        Stored {
            raw: self.follow(aliases, row, &path.hops, path.field),
            field: path.field,
            dialect: self.dialect,
        }
    }

    fn follow(
        self,
        aliases: &mut Aliases,
        (alias, view): (&str, &View<'a>),
        hops: &[(&'a Field, &'a Model)],
        field: &'a Field,
    ) -> Expr {
        let shown = |field| view.shown(field, alias, self.dialect).raw;
        let Some(((relation, target), rest)) = hops.split_first() else {
            return match self.access.catalog.target(field) {
                Some(target) => self.withheld(aliases, shown(field), target),
                None => shown(field),
            };
        };
        let inner = aliases.next("h");
        let target_view = View::of(self.access, target);
        let end = self.follow(aliases, (&inner, &target_view), rest, field);
        let mut select = Query::select();
        select
            .expr(end)
            .from_as(table(&self.access.org_slug, target), inner.clone())
            .and_where(raw_id(target, &inner).eq(shown(relation)))
            .and_where_option(target_view.rows(&inner));
        Expr::SubQuery(None, Box::new(select.into()))
    }

    /// The id in a relation, null where the record that it leads to can't be read.
    fn withheld(self, aliases: &mut Aliases, id: Expr, target: &Model) -> Expr {
        let inner = aliases.next("h");
        let Some(rows) = View::of(self.access, target).rows(&inner) else {
            return id;
        };
        let mut select = Query::select();
        select
            .expr(raw_id(target, &inner))
            .from_as(table(&self.access.org_slug, target), inner.clone())
            .and_where(raw_id(target, &inner).eq(id))
            .and_where(rows);
        Expr::SubQuery(None, Box::new(select.into()))
    }
}
