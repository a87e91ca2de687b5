use sea_query::{Condition as Cond, Expr, ExprTrait, LikeExpr};

use super::path::Path;
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
    /// The test of a value as an expression: true, false, or null for a null value.
    pub(crate) fn expr(&self, value: Expr) -> Expr {
        let list = |cells: &[Cell]| cells.iter().map(Cell::to_sql).collect::<Vec<_>>();
        match self {
            Self::Null => value.is_null(),
            Self::NotNull => value.is_not_null(),
            Self::Compare(comparison, cell) => comparison.expr(value, cell.expr()),
            Self::In(cells) => value.is_in(list(cells)),
            Self::NotIn(cells) => value.is_not_in(list(cells)),
            Self::Between(from, to) => value.between(from.expr(), to.expr()),
            Self::NotBetween(from, to) => value.not_between(from.expr(), to.expr()),
            Self::Like(pattern) => value.like(LikeExpr::new(pattern).escape('\\')),
            Self::NotLike(pattern) => value.not_like(LikeExpr::new(pattern).escape('\\')),
        }
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

fn unknown() -> Expr {
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

/// Where in a condition a comparison stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Under {
    /// Only under `and` and `or`.
    Open,
    /// Under a `not`.
    Not,
}
