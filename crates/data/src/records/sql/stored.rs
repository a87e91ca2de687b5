use sea_query::Expr;

use super::column::ColumnType;
use super::{Dialect, sqlite};
use crate::records::criteria::condition::{Comparison, Test, all};
use crate::records::model::Field;
use crate::records::values::cell::Cell;

/// A value as its database holds it.
#[derive(Clone, Debug)]
pub(crate) struct Stored<'a> {
    /// The column, or the column under a condition.
    pub(crate) raw: Expr,
    pub(crate) field: &'a Field,
    pub(crate) dialect: Dialect,
}

/// How the test of a stored value can be put.
enum Way {
    /// As it is stored, which means the same.
    AsStored,
    /// As it is stored, so that an index is used, and as a canonical value, which is stricter.
    Both,
    /// As a canonical value.
    Canonical,
}

impl Stored<'_> {
    /// The value as expressions work on it.
    pub(crate) fn canonical(&self) -> Expr {
        let Field {
            column_type, kind, ..
        } = self.field;
        self.dialect.sql().read(column_type, kind, self.raw.clone())
    }

    /// The test as an expression: true, false, or null for a null value.
    pub(crate) fn test(&self, test: &Test) -> Expr {
        let canonical = || test.expr(self.dialect, self.canonical());
        match self.way(test) {
            Way::Canonical => canonical(),
            Way::AsStored => self.as_stored(test).unwrap_or_else(canonical),
            Way::Both => match self.as_stored(test) {
                Some(stored) => all(vec![stored, canonical()]),
                None => canonical(),
            },
        }
    }

    fn way(&self, test: &Test) -> Way {
        let is_equality = matches!(test, Test::Compare(Comparison::Eq, _) | Test::In(_));
        match (test, &self.field.column_type, self.dialect) {
            (_, ColumnType::Canonical, _) => Way::Canonical,
            (Test::Null | Test::NotNull, column, _) => match column {
                ColumnType::Several(_) => Way::Canonical,
                _ => Way::AsStored,
            },
            (Test::Like(_) | Test::NotLike(_), ..) => Way::Canonical,
            (
                _,
                ColumnType::Integer | ColumnType::Uuid | ColumnType::Enum { .. },
                Dialect::Postgres,
            )
            | (_, ColumnType::Integer, _) => Way::AsStored,
            (
                _,
                ColumnType::Numeric
                | ColumnType::Date
                | ColumnType::Time
                | ColumnType::Timestamp
                | ColumnType::Timestamptz
                | ColumnType::Boolean,
                Dialect::Postgres | Dialect::Mysql,
            ) => Way::AsStored,
            (_, ColumnType::Text, Dialect::Postgres) if is_equality => Way::AsStored,
            (_, ColumnType::Text | ColumnType::Enum { .. } | ColumnType::Uuid, Dialect::Mysql)
                if is_equality =>
            {
                Way::Both
            }
            (_, ColumnType::Text | ColumnType::Uuid, Dialect::Sqlite) if is_equality => Way::Both,
            _ => Way::Canonical,
        }
    }

    fn as_stored(&self, test: &Test) -> Option<Expr> {
        let Field {
            column_type, kind, ..
        } = self.field;
        if let (ColumnType::Text | ColumnType::Uuid, Dialect::Sqlite) = (column_type, self.dialect)
            && let Some(texts) = texts(test)
        {
            return sqlite::held_as(self.raw.clone(), texts);
        }
        let write = |cell: &Cell| self.dialect.sql().write(column_type, kind, cell);
        test.expr_with(self.raw.clone(), write)
    }
}

/// The texts that a test of equality asks for.
fn texts(test: &Test) -> Option<Vec<&str>> {
    fn text(cell: &Cell) -> Option<&str> {
        match cell {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }
    match test {
        Test::Compare(Comparison::Eq, cell) => text(cell).map(|text| vec![text]),
        Test::In(cells) => cells.iter().map(text).collect(),
        _ => None,
    }
}

/// A moment as databases read it; `Z` for one with its time zone, a space for one without.
pub(super) fn moment(micros: i64, zone: char) -> String {
    let text = jiff::Timestamp::from_microsecond(micros)
        .map_or_else(|_| String::new(), |at| format!("{at:.6}"));
    if zone == 'Z' {
        text
    } else {
        text.trim_end_matches('Z').replace('T', " ")
    }
}
