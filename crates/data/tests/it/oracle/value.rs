//! Values and what is done with them.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::ast::Kind;

/// A value; numbers are counted in units of 10^-12.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum V {
    Number(i128),
    Text(String),
    Bool(bool),
    /// Greater than everything, so that it comes last.
    Null,
}

pub(crate) const ONE: i128 = 1_000_000_000_000;

fn v(value: &Value) -> V {
    match value {
        Value::Null => V::Null,
        Value::Bool(b) => V::Bool(*b),
        Value::Number(n) => V::Number(i128::from(n.as_i64().unwrap()) * ONE),
        Value::String(text) => V::Text(text.clone()),
        other => panic!("{other}"),
    }
}

/// The value of a JSON literal of that kind.
pub(crate) fn literal(kind: Kind, value: &Value) -> V {
    match (kind, value) {
        (Kind::Dec(_) | Kind::Int, Value::String(text)) => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            let digits: i128 = format!("{whole}{fraction:0<12}").parse().unwrap();
            V::Number(digits)
        }
        (Kind::Dec(_), Value::Number(number)) => literal(kind, &json!(number.to_string())),
        (_, value) => v(value),
    }
}

/// A value as an answer has it.
pub(crate) fn rendered(kind: Kind, value: &V) -> Value {
    match (kind, value) {
        (_, V::Null) => Value::Null,
        (_, V::Bool(b)) => json!(b),
        (_, V::Text(text)) => json!(text),
        (Kind::Dec(scale), V::Number(n)) => {
            let digits = n / 10_i128.pow(12 - scale);
            let sign = if digits < 0 { "-" } else { "" };
            let width = usize::try_from(scale).unwrap() + 1;
            let digits = format!("{:0>width$}", digits.abs());
            let (whole, fraction) = digits.split_at(digits.len() - (width - 1));
            if scale == 0 {
                json!(format!("{sign}{whole}"))
            } else {
                json!(format!("{sign}{whole}.{fraction}"))
            }
        }
        (_, V::Number(n)) => json!(i64::try_from(n / ONE).unwrap()),
    }
}

/// Rounds half away from zero to that many decimals.
pub(crate) fn round(n: i128, digits: u32) -> i128 {
    let unit = 10_i128.pow(12 - digits);
    let up = if n < 0 { -unit / 2 } else { unit / 2 };
    (n + up) / unit * unit
}

pub(crate) fn divide(a: i128, b: i128, scale: u32) -> V {
    if b == 0 {
        return V::Null;
    }
    // At one digit more than is kept, cut, so that the rounding is the only one.
    let digits = a * 10_i128.pow(scale + 1) / b;
    V::Number(round(digits * 10_i128.pow(12 - scale - 1), scale))
}

pub(crate) fn compares(operator: &str, left: &V, right: &V) -> bool {
    match operator {
        "=" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        other => panic!("{other}"),
    }
}

/// A comparison with values that are written down.
pub(crate) fn holds_value(operator: &str, value: &V, values: &[V]) -> Option<bool> {
    match operator {
        "isNull" => return Some(*value == V::Null),
        "isNotNull" => return Some(*value != V::Null),
        _ if *value == V::Null => return None,
        _ => {}
    }
    let text = |value: &V| match value {
        V::Text(text) => text.to_ascii_lowercase(),
        other => panic!("{other:?}"),
    };
    Some(match operator {
        "in" => values.contains(value),
        "notIn" => !values.contains(value),
        "between" => values[0] <= *value && *value <= values[1],
        "notBetween" => *value < values[0] || values[1] < *value,
        "contains" => text(value).contains(&text(&values[0])),
        "startsWith" => text(value).starts_with(&text(&values[0])),
        "endsWith" => text(value).ends_with(&text(&values[0])),
        other => compares(other, value, &values[0]),
    })
}

pub(crate) fn all(held: &[Option<bool>]) -> Option<bool> {
    if held.contains(&Some(false)) {
        Some(false)
    } else if held.contains(&None) {
        None
    } else {
        Some(true)
    }
}

pub(crate) fn any(held: &[Option<bool>]) -> Option<bool> {
    if held.contains(&Some(true)) {
        Some(true)
    } else if held.contains(&None) {
        None
    } else {
        Some(false)
    }
}

pub(crate) fn call(name: &str, argument: &V, more: Option<&Value>) -> V {
    let number = |n: i64| V::Number(i128::from(n) * ONE);
    match argument {
        V::Null => V::Null,
        V::Number(n) if name == "abs" => V::Number(n.abs()),
        V::Number(n) => {
            let digits = more.and_then(Value::as_u64).unwrap();
            V::Number(round(*n, u32::try_from(digits).unwrap()))
        }
        V::Text(text) => {
            let date = || text.parse::<Date>().unwrap();
            match name {
                "lower" => V::Text(text.to_ascii_lowercase()),
                "upper" => V::Text(text.to_ascii_uppercase()),
                "length" => number(i64::try_from(text.chars().count()).unwrap()),
                "year" => number(date().year().into()),
                "quarter" => number((i64::from(date().month()) + 2) / 3),
                "month" => number(date().month().into()),
                "day" => number(date().day().into()),
                "week" => number(date().iso_week_date().week().into()),
                "weekday" => number(date().weekday().to_monday_one_offset().into()),
                _ => V::Text(truncated(date(), more.unwrap()).to_string()),
            }
        }
        V::Bool(_) => panic!("{name} of a boolean"),
    }
}

fn truncated(date: Date, unit: &Value) -> Date {
    match unit.as_str().unwrap() {
        "year" => date.first_of_year(),
        "quarter" => Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).unwrap(),
        "month" => date.first_of_month(),
        "week" => date - i64::from(date.weekday().to_monday_zero_offset()).days(),
        _ => date,
    }
}

pub(crate) fn aggregate(name: &str, values: Vec<V>, scale: u32) -> V {
    let count = |n: usize| V::Number(i128::try_from(n).unwrap() * ONE);
    let sum = || {
        let numbers = values.iter().map(|value| match value {
            V::Number(n) => *n,
            other => panic!("{other:?}"),
        });
        numbers.sum::<i128>()
    };
    match name {
        "count" => count(values.len()),
        "countDistinct" => {
            let mut values = values;
            values.sort();
            values.dedup();
            count(values.len())
        }
        _ if values.is_empty() => V::Null,
        "sum" => V::Number(sum()),
        "avg" => divide(
            sum(),
            i128::try_from(values.len()).unwrap() * ONE,
            Ord::max(6, scale),
        ),
        "min" => values.into_iter().min().unwrap(),
        _ => values.into_iter().max().unwrap(),
    }
}
