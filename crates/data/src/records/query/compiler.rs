use jiff::Timestamp;

use super::params::Params;
use super::shown::{Aliases, Seen};
use super::source::{Found, Naming, Scope, find, is_broken};
use super::typed::Typed;
use crate::records::access::Access;
use crate::records::error::Problem;
use crate::records::nearest::{clip, did_you_mean};
use crate::records::rights::allowed::Readable;
use crate::records::sql::{Dialect, Sql};

/// Where an operand or a condition stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is about one row.
    Row(Clause),
    /// It is about a group of rows.
    Group,
}

/// The part of the query that is about one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clause {
    Select,
    On,
    Where,
    GroupBy,
    /// The argument of an aggregate.
    Aggregate,
}

/// Checks a query against the models and turns it into expressions, in one walk.
///
/// What is wrong is noted, and the walk goes on, so that all of it is told at once. Whatever
/// becomes part of an expression went through the user's eyes: see [`Seen`].
#[derive(Debug)]
pub(super) struct Compiler<'a> {
    pub(super) access: &'a Access,
    pub(super) params: &'a Params,
    pub(super) now: Timestamp,
    pub(super) names: Readable<'a>,
    pub(super) aliases: Aliases,
    /// The query and the sub-queries around the place that the walk is at; the innermost last.
    pub(super) scopes: Vec<Scope<'a>>,
    pub(super) problems: Vec<Problem>,
    /// The connection that all of it is in, once its first model is known.
    pub(super) connection: Option<Option<&'a str>>,
    pub(super) dialect: Dialect,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(access: &'a Access, params: &'a Params) -> Self {
        Self {
            access,
            params,
            now: access.clock.now(),
            names: Readable(access),
            aliases: Aliases::default(),
            scopes: Vec::new(),
            problems: Vec::new(),
            connection: None,
            dialect: Dialect::Sqlite,
        }
    }

    /// What its database has words of its own for.
    pub(super) fn sql(&self) -> &'static dyn Sql {
        self.dialect.sql()
    }

    /// Notes what is wrong.
    pub(super) fn wrong(&mut self, at: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(at, message));
    }

    /// What came of it, or nothing after it was noted what is wrong.
    pub(super) fn noted<T>(&mut self, at: &str, outcome: Result<T, String>) -> Option<T> {
        outcome.map_err(|message| self.wrong(at, message)).ok()
    }

    pub(super) fn scope(&mut self) -> Option<&mut Scope<'a>> {
        self.scopes.last_mut()
    }

    /// A field, or a selected column where one can be named.
    pub(super) fn field(&mut self, text: &str, at: &str, place: Place) -> Option<Typed> {
        if is_broken(&self.scopes, text) {
            return None;
        }
        let naming = self
            .scopes
            .last()
            .map_or(Naming::Fields, |scope| scope.naming);
        let columns = matches!(
            (naming, place),
            (Naming::GroupColumns, Place::Group)
                | (
                    Naming::RowColumns | Naming::OnlyRowColumns,
                    Place::Row(Clause::Aggregate)
                )
        );
        if columns {
            let scope = self.scopes.last()?;
            if let Some((_, typed)) = scope.columns.iter().find(|(name, _)| name == text) {
                return Some(typed.clone());
            }
            if naming == Naming::OnlyRowColumns {
                let known = scope.columns.iter().map(|(name, _)| name.as_str());
                let message = format!(
                    "unknown column `{}`{}",
                    clip(text),
                    did_you_mean(text, known)
                );
                self.wrong(at, message);
                return None;
            }
        }
        let found = find(&self.scopes, &self.names, text);
        let found = self.noted(at, found)?;
        for inner in self.scopes.iter_mut().skip(found.scope + 1) {
            inner.looks_out = true;
        }
        match place {
            Place::Group if found.scope + 1 == self.scopes.len() => self.of_group(&found, text, at),
            _ => self.of_row(&found),
        }
    }

    /// The field of a row.
    pub(super) fn of_row(&mut self, found: &Found<'a>) -> Option<Typed> {
        let source = self.scopes.get(found.scope)?.sources.get(found.source)?;
        let row = (source.alias.as_str(), &source.view);
        let seen = Seen {
            access: self.access,
            dialect: self.dialect,
        };
        let stored = seen.value(&mut self.aliases, row, &found.path);
        Some(Typed::of_field(stored))
    }

    /// The field of a group, which has one only where it is grouped by.
    fn of_group(&mut self, found: &Found<'a>, text: &str, at: &str) -> Option<Typed> {
        let groups = &self.scopes.last()?.groups;
        let key = groups
            .keys
            .iter()
            .find(|key| key.field.as_deref() == Some(found.key.as_str()));
        if let Some(key) = key {
            return Some(key.typed.clone());
        }
        let message = format!(
            "`{}` has many values in a group: name it in groupBy, or take an aggregate of it (count, sum, avg, min, max)",
            clip(text)
        );
        self.wrong(at, message);
        None
    }
}
