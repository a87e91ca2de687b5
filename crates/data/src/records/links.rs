//! Many-to-many fields: a table of pairs stands between the records of two models.
//!
//! - [`read`] tells which records a field leads to, as far as the user may read them.
//! - [`write`] replaces them; what the user can't read stays.

pub(crate) mod read;
pub(crate) mod write;

use sea_query::{Alias, Cond, Expr, ExprTrait, JoinType, Query, SelectStatement, TableName};

use super::access::Access;
use super::criteria::condition::{Test, always, never, unknown};
use super::model::{Field, FieldType, Model};
use super::names::{column, own_pairs, raw, raw_id, table};
use super::rights::allowed::{Shows, View};
use super::sql::stored::Stored;

/// The column of our own tables of pairs that leads to the record with the field.
pub(super) const RECORD: &str = "record";
/// The one that leads to the other record.
pub(super) const TARGET: &str = "target";
/// The id of the record with the field, beside the columns of the other record.
const OWN: &str = "pair:own";

/// The pairs of a many_to_many field.
#[derive(Clone, Debug)]
pub(crate) struct Link<'a> {
    access: &'a Access,
    /// The model with the field.
    model: &'a Model,
    /// The model that it leads to.
    pub(crate) target: &'a Model,
    table: TableName,
    /// The column that leads to the record with the field.
    own: String,
    /// The column that leads to the other record.
    other: String,
}

/// Which of the other records count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// Those that the user may read.
    Readable,
    /// All of them.
    All,
}

impl<'a> Link<'a> {
    /// The pairs of the field; none for a field of another type.
    pub(crate) fn of(access: &'a Access, model: &'a Model, field: &Field) -> Option<Self> {
        let FieldType::ManyToMany {
            model: target,
            inverse,
            through,
            ..
        } = &field.kind
        else {
            return None;
        };
        let target = access.catalog.model(target)?;
        let slug = &access.org_slug;
        let (table, own, other) = match (through, inverse) {
            (Some(through), _) => {
                let table = Alias::new(&through.table);
                let table: TableName = match &through.schema {
                    Some(schema) => (Alias::new(schema), table).into(),
                    None => table.into(),
                };
                (
                    table,
                    through.column.as_str(),
                    through.target_column.as_str(),
                )
            }
            (None, Some(inverse)) => (
                own_pairs(target.home, slug, &target.name, inverse).into(),
                TARGET,
                RECORD,
            ),
            (None, None) => (
                own_pairs(model.home, slug, &model.name, &field.name).into(),
                RECORD,
                TARGET,
            ),
        };
        Some(Self {
            access,
            model,
            target,
            table,
            own: own.to_owned(),
            other: other.to_owned(),
        })
    }

    /// The test of what a record leads to, by its id and the alias of its row.
    pub(crate) fn test(&self, of: &Expr, row: &str, others: Others, test: &Test) -> Expr {
        let exists = |test| {
            let (pairs, inner) = (format!("{row}_m"), format!("{row}_n"));
            let mut select = Query::select();
            select
                .expr(Expr::Constant(1_i64.into()))
                .from_as(self.table.clone(), pairs.clone())
                .and_where(column(&pairs, &self.own).eq(of.clone()));
            let rows = match others {
                Others::Readable => View::of(self.access, self.target).rows(&inner),
                Others::All => None,
            };
            if let Some(rows) = rows {
                self.join_target(&mut select, JoinType::InnerJoin, &pairs, &inner);
                select.and_where(rows);
            }
            if let (Some(test), Some(stored)) = (test, self.other_of(&pairs)) {
                select.and_where(stored.test(test));
            }
            // Compared for the reason that sub-queries of queries are.
            Expr::exists(select).eq(Expr::Constant(true.into()))
        };
        match test {
            Test::NotNull => exists(None),
            Test::Null => exists(None).not(),
            test => exists(Some(test)),
        }
    }

    /// The records that can be read, each beside the id of the record that leads to it: what is
    /// joined in one piece, so that those that can't be read leave no row behind.
    pub(crate) fn pairs(&self) -> SelectStatement {
        let mut select = Query::select();
        select
            .expr_as(column("m", &self.own), OWN)
            .from_as(self.table.clone(), "m");
        let dialect = self.target.dialect();
        let mut named: Vec<&str> = Vec::new();
        for field in self.target.stored() {
            if !named.contains(&field.column()) {
                named.push(field.column());
                select.expr_as(raw(dialect, "n", field), field.column().to_owned());
            }
        }
        self.join_target(&mut select, JoinType::InnerJoin, "m", "n");
        select
    }

    /// The condition that joins those rows to the row of that alias, as far as its field shows.
    pub(crate) fn joins(&self, field: &Field, row: (&str, &View<'_>), pairs: &str) -> Expr {
        let (alias, view) = row;
        let id = raw_id(self.model, alias);
        let own = match view.field(field, alias) {
            Shows::Always => id,
            Shows::Never => Expr::case(never(), id).finally(Expr::null()).into(),
            Shows::When(condition) => Expr::case(Cond::all().add(condition), id)
                .finally(Expr::null())
                .into(),
        };
        column(pairs, OWN).eq(own)
    }

    fn join_target(&self, select: &mut SelectStatement, kind: JoinType, pairs: &str, inner: &str) {
        let same = raw_id(self.target, inner).eq(column(pairs, &self.other));
        let target = table(&self.access.org_slug, self.target);
        select.join_as(kind, target, inner.to_owned(), Cond::all().add(same));
    }

    /// The id of the record with the field, as it stands in the pair of that alias.
    fn own_of(&self, pairs: &str) -> Option<Stored<'a>> {
        stored_id(self.model, column(pairs, &self.own))
    }

    /// The id of the other record, as it stands in the pair of that alias.
    fn other_of(&self, pairs: &str) -> Option<Stored<'a>> {
        stored_id(self.target, column(pairs, &self.other))
    }
}

fn stored_id(model: &Model, raw: Expr) -> Option<Stored<'_>> {
    Some(Stored {
        raw,
        field: model.id()?,
        dialect: model.dialect(),
    })
}

/// What a test of a list comes to on a row that may hide the list: nothing is known of it there.
pub(crate) fn shown(shows: Shows, test: &Test, holds: Expr) -> Expr {
    let hidden = match test {
        Test::Null => always(),
        Test::NotNull => never(),
        _ => unknown(),
    };
    match shows {
        Shows::Always => holds,
        Shows::Never => hidden,
        Shows::When(condition) => Expr::case(Cond::all().add(condition), holds)
            .finally(hidden)
            .into(),
    }
}
