use jiff::Timestamp;
use serde_json::{Number, Value};

use super::cell::Cell;
use super::decimal;
use crate::records::content::told;
use crate::records::model::FieldType;

/// A stored value as JSON.
pub(crate) fn json(kind: &FieldType, cell: Cell) -> Value {
    match (kind, cell) {
        // The content of a file is in no answer.
        (_, Cell::Null | Cell::Bytes(_)) => Value::Null,
        (FieldType::Binary { .. }, Cell::Text(text)) => told::json(&text),
        (FieldType::Boolean, Cell::Int(n)) => Value::Bool(n != 0),
        (FieldType::Decimal { scale, .. }, Cell::Int(n)) => {
            Value::String(decimal::render(*scale, n))
        }
        (FieldType::Datetime, Cell::Int(micros)) => Timestamp::from_microsecond(micros)
            .map_or(Value::Null, |at| Value::String(at.to_string())),
        (FieldType::MultiSelection { .. } | FieldType::Json, Cell::Text(text)) => {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
        // A whole number that is larger than one can be.
        (FieldType::Integer, Cell::Real(_)) => Value::Null,
        (_, Cell::Int(n)) => Value::Number(n.into()),
        (_, Cell::Real(x)) => Number::from_f64(x).map_or(Value::Null, Value::Number),
        (_, Cell::Text(text)) => Value::String(text),
    }
}

/// A JSON value of a record as a person reads it; `None` for null.
pub(crate) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(
            items
                .iter()
                .filter_map(plain)
                .collect::<Vec<_>>()
                .join(", "),
        ),
        Value::Object(map) => match (map.get("display"), map.get("withheld")) {
            (Some(Value::String(display)), _) => Some(display.clone()),
            (_, Some(Value::Bool(true))) => Some("(withheld)".to_owned()),
            _ if map.contains_key("file") => {
                let file = map.get("file").and_then(Value::as_object)?;
                Some(told::plain(file))
            }
            _ if map.get("more") == Some(&Value::Bool(true)) => Some("…".to_owned()),
            _ => Some(value.to_string()),
        },
        Value::Number(number) => Some(number.to_string()),
    }
}
