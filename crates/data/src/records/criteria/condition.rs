use sea_query::{Condition as Cond, Expr, ExprTrait};

use super::path::Path;
use crate::records::sql::Dialect;
use crate::records::values::cell::Cell;

/// A filter that was checked: every field exists and every value has its field's type.
#[derive(Clone, Debug)]
pub(crate) enum Condition<'c> {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    /// A comparison.
    Is(Path<'c>, Test),
    /// A comparison with something that the user has not: unknown, whichever way it is asked.
    Unknown,
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    Null,
    NotNull,
    Compare(Comparison, Cell),
    In(Vec<Cell>),
    NotIn(Vec<Cell>),
    Between(Cell, Cell),
    NotBetween(Cell, Cell),
    /// Matches a pattern with `\` before what is no wildcard.
    Like(String),
    NotLike(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

impl Test {
    /// The test of a canonical value as an expression: true, false, or null for a null value.
    pub(crate) fn expr(&self, dialect: Dialect, value: Expr) -> Expr {
        match self {
            Self::Like(pattern) => like(dialect, value, pattern),
            Self::NotLike(pattern) => like(dialect, value, pattern).not(),
            _ => self.expr_with(value, Cell::expr).unwrap_or_else(unknown),
        }
    }

    /// The test of a value whose like is written as `write` says; none for a pattern.
    pub(crate) fn expr_with(&self, value: Expr, write: impl Fn(&Cell) -> Expr) -> Option<Expr> {
        let list = |cells: &[Cell]| cells.iter().map(&write).collect::<Vec<_>>();
        Some(match self {
            Self::Null => value.is_null(),
            Self::NotNull => value.is_not_null(),
            Self::Compare(comparison, cell) => comparison.expr(value, write(cell)),
            Self::In(cells) => value.is_in(list(cells)),
            Self::NotIn(cells) => value.is_not_in(list(cells)),
            Self::Between(from, to) => value.between(write(from), write(to)),
            Self::NotBetween(from, to) => value.not_between(write(from), write(to)),
            Self::Like(_) | Self::NotLike(_) => return None,
        })
    }

    /// Whether a null value can match.
    pub(crate) fn matches_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl Comparison {
    pub(crate) fn expr(self, left: Expr, right: Expr) -> Expr {
        match self {
            Self::Eq => left.eq(right),
            Self::Ne => left.ne(right),
            Self::Gt => left.gt(right),
            Self::Ge => left.gte(right),
            Self::Lt => left.lt(right),
            Self::Le => left.lte(right),
        }
    }
}

/// True for every row.
pub(crate) fn always() -> Expr {
    Expr::Constant(1_i64.into()).eq(Expr::Constant(1_i64.into()))
}

/// True for no row.
pub(crate) fn never() -> Expr {
    Expr::Constant(1_i64.into()).eq(Expr::Constant(0_i64.into()))
}

/// A pattern that ends within an escape matches nothing: databases make of it what they will.
fn like(dialect: Dialect, value: Expr, pattern: &str) -> Expr {
    let escapes = pattern.chars().rev().take_while(|c| *c == '\\').count();
    if escapes % 2 == 0 {
        return dialect.sql().like(value, pattern);
    }
    Expr::case(value.is_not_null(), never()).into()
}

/// Neither true nor false.
pub(crate) fn unknown() -> Expr {
    Expr::Constant(1_i64.into()).eq(Expr::null())
}

/// Joins expressions with AND; none is true.
pub(crate) fn all(exprs: Vec<Expr>) -> Expr {
    if exprs.is_empty() {
        return always();
    }
    exprs.into_iter().fold(Cond::all(), Cond::add).into()
}

/// Joins expressions with OR; none is false.
pub(crate) fn any(exprs: Vec<Expr>) -> Expr {
    if exprs.is_empty() {
        return never();
    }
    exprs.into_iter().fold(Cond::any(), Cond::add).into()
}

impl<'c> Condition<'c> {
    /// The condition as an expression; `leaf` says how a comparison becomes one, and whether
    /// it stands under a `not`, where null and false are different things.
    pub(crate) fn expr(&self, leaf: &mut dyn FnMut(&Path<'c>, &Test, Under) -> Expr) -> Expr {
        self.expr_under(Under::Open, leaf)
    }

    fn expr_under(
        &self,
        under: Under,
        leaf: &mut dyn FnMut(&Path<'c>, &Test, Under) -> Expr,
    ) -> Expr {
        match self {
            Self::All(parts) => all(parts
                .iter()
                .map(|part| part.expr_under(under, leaf))
                .collect()),
            Self::Any(parts) => any(parts
                .iter()
                .map(|part| part.expr_under(under, leaf))
                .collect()),
            Self::Not(part) => part.expr_under(Under::Not, leaf).not(),
            Self::Is(path, test) => leaf(path, test, under),
            Self::Unknown => unknown(),
        }
    }
}

impl Condition<'_> {
    /// Whether it asks for what a many_to_many field leads to.
    pub(crate) fn is_about_lists(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::is_about_lists),
            Self::Not(part) => part.is_about_lists(),
            Self::Is(path, _) => path.field.is_link(),
            Self::Unknown => false,
        }
    }
}

/// Where in a condition a comparison stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Under {
    /// Only under `and` and `or`.
    Open,
    /// Under a `not`.
    Not,
}
