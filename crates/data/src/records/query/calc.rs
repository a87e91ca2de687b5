use sea_query::{Expr, ExprTrait};

use super::compiler::{Compiler, Place};
use super::input::{Arithmetic, Calc};
use super::typed::{Number, Typed, as_float, decimal, int, number, power, rescaled};
use crate::records::model::FieldType;
use crate::records::sql::Sql;

/// A division keeps at least this many decimals.
const DECIMALS: u32 = 6;
/// The most decimals of a result.
const MOST_DECIMALS: u32 = 18;

impl Compiler<'_> {
    pub(super) fn calc(&mut self, calc: &Calc, at: &str, place: Place) -> Option<Typed> {
        if calc.operands.len() < 2 {
            self.wrong(format!("{at}/operands"), "needs two or more operands");
            return None;
        }
        // Literals are read as numbers: decimals are written as strings.
        let hint = FieldType::Integer;
        let mut all_sound = true;
        let mut numbers: Vec<(Typed, Number, String)> = Vec::new();
        for (index, operand) in calc.operands.iter().enumerate() {
            let at = format!("{at}/operands/{index}");
            let Some(typed) = self.hinted(operand, &at, place, Some(&hint)) else {
                all_sound = false;
                continue;
            };
            match number(&typed.kind) {
                Some(is) => numbers.push((typed, is, at)),
                None => {
                    let message = no_number(&typed);
                    self.wrong(at, message);
                    all_sound = false;
                }
            }
        }
        let mut numbers = numbers.into_iter();
        let (first, ..) = numbers.next().filter(|_| all_sound)?;
        let mut sum = first;
        for (next, _, at) in numbers {
            let outcome = combine(self.sql(), calc.operator, sum, next);
            sum = self.noted(&at, outcome)?;
        }
        Some(sum)
    }
}

/// Why a value can't be calculated with.
pub(super) fn no_number(typed: &Typed) -> String {
    match &typed.kind {
        FieldType::Decimal { .. } => format!(
            "`{}` has more than {MOST_DECIMALS} digits and can't be calculated with",
            typed.label
        ),
        kind => format!(
            "`{}` is {} and can't be calculated with; it takes a number",
            typed.label,
            kind.name()
        ),
    }
}

fn combine(
    sql: &dyn Sql,
    operator: Arithmetic,
    left: Typed,
    right: Typed,
) -> Result<Typed, String> {
    let (Some(a), Some(b)) = (number(&left.kind), number(&right.kind)) else {
        return Err("it takes numbers".to_owned());
    };
    let weight = left.weight.saturating_add(right.weight);
    let (Number::Exact(a), Number::Exact(b)) = (a, b) else {
        let (left, right) = (as_float(sql, left.expr, a), as_float(sql, right.expr, b));
        let expr = match operator {
            Arithmetic::Divide => sql.ratio(left, right),
            _ => plain(operator, left, right),
        };
        return Typed::new(expr, FieldType::Float, "calc").weighing(weight);
    };
    let whole = left.kind == FieldType::Integer && right.kind == FieldType::Integer;
    match operator {
        Arithmetic::Add | Arithmetic::Subtract => {
            let scale = Ord::max(a, b);
            let (left, right) = (
                rescaled(sql, sql.exact(left.expr), a, scale),
                rescaled(sql, sql.exact(right.expr), b, scale),
            );
            Typed::new(plain(operator, left, right), exact(whole, scale), "calc").weighing(weight)
        }
        Arithmetic::Multiply if a + b > MOST_DECIMALS => Err(format!(
            "would have {} decimals; at most {MOST_DECIMALS} are kept, so use `round` first",
            a + b
        )),
        Arithmetic::Multiply => {
            let expr = plain(operator, sql.exact(left.expr), sql.exact(right.expr));
            Typed::new(expr, exact(whole, a + b), "calc").weighing(weight)
        }
        Arithmetic::Divide => quotient(sql, (left, a), (right, b)),
    }
}

fn exact(whole: bool, scale: u32) -> FieldType {
    if whole {
        FieldType::Integer
    } else {
        decimal(scale)
    }
}

fn plain(operator: Arithmetic, left: Expr, right: Expr) -> Expr {
    match operator {
        Arithmetic::Add => left.add(right),
        Arithmetic::Subtract => left.sub(right),
        Arithmetic::Multiply => left.mul(right),
        // Divisions are made where the kind of number is known.
        Arithmetic::Divide => left.div(right),
    }
}

/// Divides scaled integers, rounding half away from zero; null for a zero below. The whole part
/// and the rest are divided apart, so that a large number over a small one stays exact.
pub(super) fn quotient(
    sql: &dyn Sql,
    (left, a): (Typed, u32),
    (right, b): (Typed, u32),
) -> Result<Typed, String> {
    let scale = Ord::max(DECIMALS, a);
    let shift = scale + b - a;
    if shift >= MOST_DECIMALS {
        return Err(format!(
            "has {b} decimals, too many to divide by; use `round` first"
        ));
    }
    let weight = left
        .weight
        .saturating_mul(3)
        .saturating_add(right.weight.saturating_mul(5));
    let (top, bottom) = (sql.exact(left.expr), sql.exact(right.expr));
    let whole = sql.divide(top.clone(), bottom.clone()).mul(power(shift));
    let rest = sql.rest(top, bottom.clone()).mul(power(shift + 1));
    let rest = rounded(sql, sql.divide(rest, bottom), 10);
    Typed::new(whole.add(rest), decimal(scale), "calc").weighing(weight)
}

/// A whole number over a power of ten, rounded half away from zero.
pub(super) fn rounded(sql: &dyn Sql, expr: Expr, by: i64) -> Expr {
    let half = by / 2;
    let up: Expr = Expr::case(expr.clone().lt(int(0)), int(-half))
        .finally(int(half))
        .into();
    sql.divide(sql.exact(expr).add(up), int(by))
}
