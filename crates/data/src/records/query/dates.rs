//! Parts of dates, and dates cut to a unit. All in UTC; a week begins on Monday.

use super::function::takes;
use super::input::{Function, Unit};
use super::typed::Typed;
use crate::records::model::FieldType;
use crate::records::sql::Sql;

/// The number of a part.
pub(super) fn part(sql: &dyn Sql, part: Function, argument: &Typed) -> Result<Typed, String> {
    let is_hour = part == Function::Hour;
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
    let expr = sql.part(part, &argument.kind, argument.expr.clone());
    Typed::new(expr, FieldType::Integer, part.name()).weighing(weight)
}

/// The first moment, or the first day, of the unit.
pub(super) fn truncated(sql: &dyn Sql, argument: &Typed, unit: Unit) -> Result<Typed, String> {
    match argument.kind {
        FieldType::Date if unit == Unit::Hour => {
            Err(format!("`{}` is date and has no hours", argument.label))
        }
        FieldType::Date | FieldType::Datetime => {
            let weight = argument.weight.saturating_mul(3);
            let kind = argument.kind.clone();
            let expr = if argument.kind == FieldType::Date {
                sql.first_day(argument.expr.clone(), unit)
            } else {
                sql.first_moment(argument.expr.clone(), unit)
            };
            Typed::new(expr, kind, "truncate").weighing(weight)
        }
        _ => Err(takes(Function::Truncate, "a date or datetime", argument)),
    }
}
