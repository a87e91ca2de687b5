use sea_query::{Expr, ExprTrait};

use super::calc::{no_number, rounded};
use super::dates;
use super::input::{Function, Unit};
use super::typed::{Number, Typed, decimal, int, number};
use crate::records::model::FieldType;
use crate::records::sql::Sql;

/// The most decimals that can be rounded to.
const DIGITS: u32 = 18;

/// A function of one value.
pub(super) fn scalar(
    sql: &dyn Sql,
    function: Function,
    argument: Typed,
    (unit, digits): (Option<Unit>, Option<u32>),
) -> Result<Typed, String> {
    match function {
        Function::Lower => text(function, argument, |expr| sql.lower(expr)),
        Function::Upper => text(function, argument, |expr| sql.upper(expr)),
        Function::Length => {
            let length = text(function, argument, |expr| sql.length(expr))?;
            let kind = FieldType::Integer;
            Ok(Typed { kind, ..length })
        }
        Function::Round => round(sql, argument, digits.unwrap_or(0)),
        Function::Abs => absolute(sql, argument),
        Function::Truncate => match unit {
            Some(unit) => dates::truncated(sql, &argument, unit),
            None => {
                Err("`truncate` needs a `unit`: year, quarter, month, week, day or hour".to_owned())
            }
        },
        part => dates::part(sql, part, &argument),
    }
}

fn text(function: Function, argument: Typed, make: impl Fn(Expr) -> Expr) -> Result<Typed, String> {
    if !matches!(argument.kind, FieldType::String | FieldType::Text) {
        return Err(takes(function, "a text", &argument));
    }
    let weight = argument.weight;
    Typed::new(make(argument.expr), argument.kind, function.name()).weighing(weight)
}

/// The message about an argument of the wrong type.
pub(super) fn takes(function: Function, what: &str, argument: &Typed) -> String {
    format!(
        "`{}` takes {what}; `{}` is {}",
        function.name(),
        argument.label,
        argument.kind.name()
    )
}

fn round(sql: &dyn Sql, argument: Typed, digits: u32) -> Result<Typed, String> {
    if digits > DIGITS {
        return Err(format!("`digits` must be at most {DIGITS}; got {digits}"));
    }
    let Some(is) = number(&argument.kind) else {
        return Err(no_number(&argument));
    };
    let weight = argument.weight;
    match is {
        Number::Float => {
            let expr = sql.round(argument.expr, digits);
            Typed::new(expr, FieldType::Float, "round").weighing(weight)
        }
        Number::Exact(scale) if scale > digits => {
            let expr = rounded(sql, argument.expr, 10_i64.saturating_pow(scale - digits));
            Typed::new(expr, decimal(digits), "round").weighing(weight.saturating_mul(2))
        }
        Number::Exact(_) => Typed::new(argument.expr, argument.kind, "round").weighing(weight),
    }
}

/// Not the function of the database: that one fails on the least number there is.
fn absolute(sql: &dyn Sql, argument: Typed) -> Result<Typed, String> {
    if number(&argument.kind).is_none() {
        return Err(no_number(&argument));
    }
    let weight = argument.weight.saturating_mul(3);
    let value = match number(&argument.kind) {
        Some(Number::Exact(_)) => sql.exact(argument.expr),
        _ => argument.expr,
    };
    let expr: Expr = Expr::case(value.clone().lt(int(0)), int(0).sub(value.clone()))
        .finally(value)
        .into();
    Typed::new(expr, argument.kind, "abs").weighing(weight)
}
