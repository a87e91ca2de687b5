//! What databases say in different ways: the one place of `records` that tells them apart.
//!
//! Expressions work on canonical values (see [`values`](super::values)): text, whole numbers and
//! floating-point numbers. [`Stored`] is a column as its database holds it; it is read as a
//! canonical value, and compared as it is where that lets an index be used.

pub(crate) mod column;
mod fold;
mod mysql;
mod postgres;
mod sqlite;
pub(crate) mod stored;

use sea_query::{Expr, ExprTrait, Func};
use serde::{Deserialize, Serialize};

use self::column::ColumnType;
use super::model::{FieldType, KeyType};
use super::query::input::{Function, Unit};
use super::values::cell::Cell;
use super::values::decimal::INTEGER_DIGITS;

/// The language of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// SQLite.
    #[default]
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL and MariaDB.
    Mysql,
}

impl Dialect {
    /// The name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MySQL",
        }
    }

    /// The name in the API, as URLs begin.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }

    pub(crate) fn sql(self) -> &'static dyn Sql {
        match self {
            Self::Sqlite => &sqlite::Sqlite,
            Self::Postgres => &postgres::Postgres,
            Self::Mysql => &mysql::Mysql,
        }
    }
}

/// What an expression is to the database: canonical values are one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Exact,
    Float,
}

impl Shape {
    pub(crate) fn of(kind: &FieldType) -> Self {
        match kind {
            FieldType::Float => Self::Float,
            FieldType::Decimal { precision, .. } if *precision > INTEGER_DIGITS => Self::Text,
            FieldType::Integer
            | FieldType::Decimal { .. }
            | FieldType::Boolean
            | FieldType::Datetime
            | FieldType::ManyToOne {
                key: KeyType::Integer,
                ..
            } => Self::Exact,
            _ => Self::Text,
        }
    }
}

/// The parts of a statement that each database has words of its own for.
pub(crate) trait Sql: Sync {
    /// A stored value as a canonical one.
    fn read(&self, column: &ColumnType, kind: &FieldType, raw: Expr) -> Expr;

    /// A canonical value as it is stored.
    fn write(&self, column: &ColumnType, kind: &FieldType, cell: &Cell) -> Expr;

    /// A condition as 1 or 0.
    fn flag(&self, condition: Expr) -> Expr;

    /// Whether canonical texts match the pattern, the case of the letters A–Z ignored; `\` stands
    /// before what is no wildcard.
    fn like(&self, text: Expr, pattern: &str) -> Expr;

    fn lower(&self, text: Expr) -> Expr;

    fn upper(&self, text: Expr) -> Expr;

    /// How many characters a text has.
    fn length(&self, text: Expr) -> Expr;

    /// Nothing, of that shape.
    fn null(&self, shape: Shape) -> Expr;

    /// A whole number with room for what is calculated of it: no operation on it fails.
    fn exact(&self, number: Expr) -> Expr;

    /// A whole number in floating point.
    fn float(&self, number: Expr) -> Expr;

    /// Divides whole numbers, cutting towards zero; null for a zero below.
    fn divide(&self, top: Expr, bottom: Expr) -> Expr;

    /// What is left of a division; null for a zero below.
    fn rest(&self, top: Expr, bottom: Expr) -> Expr;

    /// Divides in floating point; null for a zero below.
    fn ratio(&self, top: Expr, bottom: Expr) -> Expr;

    /// Rounds a floating-point number.
    fn round(&self, number: Expr, digits: u32) -> Expr;

    /// An exact sum that does not fail, however large.
    fn sum(&self, number: Expr) -> Expr;

    /// The number of a part of a date, time or datetime.
    fn part(&self, part: Function, kind: &FieldType, value: Expr) -> Expr;

    /// The first day of the unit that a day is in.
    fn first_day(&self, day: Expr, unit: Unit) -> Expr;

    /// The first moment of the unit that a moment is in.
    fn first_moment(&self, micros: Expr, unit: Unit) -> Expr;
}

/// Microseconds of a second.
pub(super) const SECOND: i64 = 1_000_000;
/// Microseconds of an hour.
pub(super) const HOUR: i64 = 3_600 * SECOND;
/// Moments are made positive by this before they are divided, which cuts towards zero. It is a
/// whole number of days, before the first moment that there is.
pub(super) const SHIFT: i64 = 5_000_000 * 24 * HOUR;

/// A whole number that this code chose.
pub(super) fn number(n: i64) -> Expr {
    Expr::Constant(n.into())
}

fn cast(expr: Expr, kind: &'static str) -> Expr {
    Func::cast_as(expr, kind).into()
}

/// Null where the number is zero.
fn unless_zero(number_: Expr) -> Expr {
    Func::cust("NULLIF").args([number_, number(0)]).into()
}

/// A condition on a value that is there.
fn when(condition: Expr, then: Expr) -> Expr {
    Expr::case(condition, then).into()
}

/// The seconds of a moment, cut down.
fn seconds(micros: Expr, divide: impl Fn(Expr, Expr) -> Expr) -> Expr {
    divide(micros.add(number(SHIFT)), number(SECOND)).sub(number(SHIFT / SECOND))
}
