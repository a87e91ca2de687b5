//! Parts of dates, and dates cut to a unit. All in UTC; a week begins on Monday.

use sea_query::{Alias, Expr, ExprTrait, Func};

use super::function::takes;
use super::input::{Function, Unit};
use super::typed::{Typed, int};
use crate::records::model::FieldType;
use crate::records::values::cell::Cell;

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
/// Moments are made positive by this before they are divided, which cuts towards zero. It is a
/// whole number of days, before the first moment that there is.
const SHIFT: i64 = 5_000_000 * 24 * HOUR;

/// The number of a part.
pub(super) fn part(part: Function, argument: &Typed) -> Result<Typed, String> {
    let is_hour = part == Function::Hour;
    let format = match part {
        Function::Year => "%Y",
        Function::Month | Function::Quarter => "%m",
        Function::Week => "%V",
        Function::Day => "%d",
        Function::Hour => "%H",
        _ => "%u",
    };
    let fits = match argument.kind {
        FieldType::Datetime => true,
        FieldType::Date => !is_hour,
        FieldType::Time => is_hour,
        _ => false,
    };
    if !fits {
        let what = if is_hour {
            "a time or datetime"
        } else {
            "a date or datetime"
        };
        return Err(takes(part, what, argument));
    }
    let weight = argument.weight;
    let number = whole(formatted(format, argument, &[]));
    let expr = if part == Function::Quarter {
        quarter_of(number)
    } else {
        number
    };
    Typed::new(expr, FieldType::Integer, part.name()).weighing(weight)
}

/// The first moment, or the first day, of the unit.
pub(super) fn truncated(argument: &Typed, unit: Unit) -> Result<Typed, String> {
    match argument.kind {
        FieldType::Date if unit == Unit::Hour => {
            Err(format!("`{}` is date and has no hours", argument.label))
        }
        FieldType::Date | FieldType::Datetime => {
            let weight = argument.weight.saturating_mul(3);
            let kind = argument.kind.clone();
            let expr = if argument.kind == FieldType::Date {
                day(argument, unit)
            } else {
                moment(argument, unit)
            };
            Typed::new(expr, kind, "truncate").weighing(weight)
        }
        _ => Err(takes(Function::Truncate, "a date or datetime", argument)),
    }
}

fn day(argument: &Typed, unit: Unit) -> Expr {
    match unit {
        Unit::Year => formatted("%Y-01-01", argument, &[]),
        Unit::Month => formatted("%Y-%m-01", argument, &[]),
        Unit::Quarter => first_of_quarter(argument),
        Unit::Week => formatted("%Y-%m-%d", argument, &["weekday 0", "-6 days"]),
        Unit::Day | Unit::Hour => argument.expr.clone(),
    }
}

fn moment(argument: &Typed, unit: Unit) -> Expr {
    let seconds = match unit {
        Unit::Year => formatted("%s", argument, &["start of year"]),
        Unit::Month => formatted("%s", argument, &["start of month"]),
        Unit::Week => formatted("%s", argument, &["weekday 0", "-6 days", "start of day"]),
        Unit::Quarter => {
            let first = Func::cust(Alias::new("STRFTIME"));
            first.args([text("%s"), first_of_quarter(argument)]).into()
        }
        Unit::Day => return cut(argument.expr.clone(), 24 * HOUR),
        Unit::Hour => return cut(argument.expr.clone(), HOUR),
    };
    whole(seconds).mul(int(SECOND))
}

fn first_of_quarter(argument: &Typed) -> Expr {
    let month = quarter_of(whole(formatted("%m", argument, &[])))
        .mul(int(3))
        .sub(int(2));
    let year = formatted("%Y", argument, &[]);
    let printf = Func::cust(Alias::new("PRINTF"));
    let first: Expr = printf
        .args([text("%s-%02d-01"), year.clone(), month])
        .into();
    // Without a date there is none, where PRINTF would write something.
    Expr::case(year.is_not_null(), first)
        .finally(Expr::null())
        .into()
}

fn quarter_of(month: Expr) -> Expr {
    month.add(int(2)).div(int(3))
}

fn cut(micros: Expr, unit: i64) -> Expr {
    micros
        .add(int(SHIFT))
        .div(int(unit))
        .mul(int(unit))
        .sub(int(SHIFT))
}

/// The date as text in that format, after the modifiers.
fn formatted(format: &str, argument: &Typed, modifiers: &[&str]) -> Expr {
    let mut arguments = vec![text(format)];
    if argument.kind == FieldType::Datetime {
        let seconds = argument.expr.clone().add(int(SHIFT)).div(int(SECOND));
        arguments.push(seconds.sub(int(SHIFT / SECOND)));
        arguments.push(text("unixepoch"));
    } else {
        arguments.push(argument.expr.clone());
    }
    arguments.extend(modifiers.iter().map(|modifier| text(modifier)));
    Func::cust(Alias::new("STRFTIME")).args(arguments).into()
}

fn whole(text: Expr) -> Expr {
    Func::cast_as(text, "INTEGER").into()
}

fn text(text: &str) -> Expr {
    Cell::Text(text.to_owned()).expr()
}
