use jiff::Timestamp;
use sea_query::{Cond, Expr};

use super::fields::FieldList;
use super::operation::Operation;
use super::row::row_expr;
use crate::records::access::Access;
use crate::records::catalog::Catalog;
use crate::records::criteria::condition::{Condition, always, any, never};
use crate::records::criteria::path::{AllNames, Names};
use crate::records::criteria::resolve::resolve;
use crate::records::criteria::test_parse::Reading;
use crate::records::criteria::variables::Variables;
use crate::records::model::{Field, Model};
use crate::records::names::stored;
use crate::records::sql::Dialect;
use crate::records::sql::stored::Stored;

/// One grant, with the user's own values in its condition.
#[derive(Clone, Debug)]
pub(crate) struct Allowed<'a> {
    model: &'a Model,
    pub(crate) read: &'a FieldList,
    pub(crate) write: &'a FieldList,
    /// Which records; all without a condition.
    pub(crate) condition: Option<Condition<'a>>,
}

/// The grants of this call on the model; the union of them is what it may do, row by row.
pub(crate) fn allowed<'a>(
    access: &'a Access,
    model: &'a Model,
    operation: Operation,
) -> Vec<Allowed<'a>> {
    let now: Timestamp = access.clock.now();
    let reading = Reading {
        now,
        variables: Variables::Of(&access.subject),
    };
    let names = AllNames(&access.catalog);
    let grants = access.grants_for(&model.name, operation);
    grants
        .into_iter()
        .map(|grant| {
            let condition = grant.condition.as_ref().map(|criteria| {
                // A condition that no longer fits the model allows nothing.
                resolve(&names, model, criteria, "", reading).unwrap_or(Condition::Unknown)
            });
            Allowed {
                model,
                read: &grant.read_fields,
                write: &grant.write_fields,
                condition,
            }
        })
        .collect()
}

impl Allowed<'_> {
    /// Whether the grant is about the row of that alias.
    pub(crate) fn expr(&self, access: &Access, alias: &str) -> Expr {
        self.condition.as_ref().map_or_else(always, |condition| {
            row_expr(access, self.model, alias, condition)
        })
    }
}

/// What the user sees of one model's rows.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    access: &'a Access,
    grants: Vec<Allowed<'a>>,
}

/// When a field shows.
#[derive(Debug)]
pub(crate) enum Shows {
    Never,
    /// On every row that shows.
    Always,
    /// On the rows for which this is true.
    When(Expr),
}

impl<'a> View<'a> {
    pub(crate) fn of(access: &'a Access, model: &'a Model) -> Self {
        Self {
            access,
            grants: allowed(access, model, Operation::Read),
        }
    }

    /// Whether the row of that alias shows; `None` when every row does.
    pub(crate) fn rows(&self, alias: &str) -> Option<Expr> {
        if self.grants.is_empty() {
            return Some(never());
        }
        if self.grants.iter().any(|grant| grant.condition.is_none()) {
            return None;
        }
        Some(any(self
            .grants
            .iter()
            .map(|grant| grant.expr(self.access, alias))
            .collect()))
    }

    /// When the field shows on a row that itself shows: only where one grant has both.
    pub(crate) fn field(&self, field: &Field, alias: &str) -> Shows {
        let covering: Vec<&Allowed<'_>> = self
            .grants
            .iter()
            .filter(|grant| grant.read.covers(field))
            .collect();
        if covering.is_empty() {
            return Shows::Never;
        }
        if covering.len() == self.grants.len()
            || covering.iter().any(|grant| grant.condition.is_none())
        {
            return Shows::Always;
        }
        Shows::When(any(covering
            .iter()
            .map(|grant| grant.expr(self.access, alias))
            .collect()))
    }
}

impl View<'_> {
    /// What is stored in a field of the row of that alias, null where the user may not read it.
    pub(crate) fn shown<'f>(&self, field: &'f Field, alias: &str, dialect: Dialect) -> Stored<'f> {
        let mut stored = stored(dialect, alias, field);
        stored.raw = match self.field(field, alias) {
            Shows::Always => stored.raw,
            // Nothing, of the column's own type.
            Shows::Never => Expr::case(never(), stored.raw).finally(Expr::null()).into(),
            Shows::When(condition) => Expr::case(Cond::all().add(condition), stored.raw)
                .finally(Expr::null())
                .into(),
        };
        stored
    }
}

/// The fields that the user may read: what a caller's paths can name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readable<'a>(pub(crate) &'a Access);

impl<'a> Names<'a> for Readable<'a> {
    fn catalog(&self) -> &'a Catalog {
        &self.0.catalog
    }

    fn knows(&self, model: &'a Model, field: &Field) -> bool {
        self.0
            .grants_for(&model.name, Operation::Read)
            .iter()
            .any(|grant| grant.read_fields.covers(field))
    }
}
