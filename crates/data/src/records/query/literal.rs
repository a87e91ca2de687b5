use jiff::Timestamp;
use serde_json::Value;

use super::typed::{Typed, decimal, number};
use crate::records::model::FieldType;
use crate::records::values::cell::Cell;
use crate::records::values::decimal::{self as exact, INTEGER_DIGITS};
use crate::records::values::{parse, relative};

/// The longest text that is written in a query.
const TEXT: usize = 10_000;

/// Reads a value that is written in a query, as the hint says or else as what it looks like.
pub(super) fn read(
    value: &Value,
    hint: Option<&FieldType>,
    now: Timestamp,
) -> Result<Typed, String> {
    if value.as_str().is_some_and(|text| text.len() > TEXT) {
        return Err(format!("is longer than {TEXT} bytes"));
    }
    match (hint, value) {
        (Some(FieldType::Float), Value::Number(_)) => typed(FieldType::Float, value),
        (Some(kind), _) if number(kind).is_some() => exact_number(value),
        (Some(kind), _) => Ok(Typed::new(
            of(kind, value, now)?.expr(),
            kind.clone(),
            "value",
        )),
        (None, Value::Number(_)) => exact_number(value),
        (None, Value::String(_)) => typed(FieldType::String, value),
        (None, Value::Bool(_)) => typed(FieldType::Boolean, value),
        (None, other) => Err(format!(
            "must be a text, a number or a boolean; got {}",
            parse::kind_of(other)
        )),
    }
}

/// Checks the value of a parameter, which is of its type and no other.
pub(super) fn check(kind: &FieldType, value: &Value, now: Timestamp) -> Result<(), String> {
    match kind {
        FieldType::Decimal { .. } => read(value, Some(kind), now).map(drop),
        _ if value.as_str().is_some_and(|text| text.len() > TEXT) => {
            Err(format!("is longer than {TEXT} bytes"))
        }
        _ => of(kind, value, now).map(drop),
    }
}

fn typed(kind: FieldType, value: &Value) -> Result<Typed, String> {
    let cell = parse::parse(&kind, value)?;
    Ok(Typed::new(cell.expr(), kind, "value"))
}

fn of(kind: &FieldType, value: &Value, now: Timestamp) -> Result<Cell, String> {
    let relative = match (kind, value) {
        (FieldType::Date, Value::String(text)) => relative::date(text, now),
        (FieldType::Datetime, Value::String(text)) => relative::datetime(text, now),
        _ => None,
    };
    match relative {
        Some(cell) => Ok(cell),
        None => parse::parse(kind, value),
    }
}

/// A number with as many decimals as it is written with.
fn exact_number(value: &Value) -> Result<Typed, String> {
    if let Some(n) = value.as_i64() {
        return Ok(Typed::new(Cell::Int(n).expr(), FieldType::Integer, "value"));
    }
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.trim_end_matches('0').len());
    let scale = u32::try_from(decimals).unwrap_or(u32::MAX);
    if scale > INTEGER_DIGITS {
        return Err(format!("has more than {INTEGER_DIGITS} decimals"));
    }
    let cell = exact::parse(INTEGER_DIGITS, scale, value)?;
    Ok(Typed::new(cell.expr(), decimal(scale), "value"))
}
