use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use serde_json::Value;

use super::cell::Cell;
use super::decimal;
use crate::records::model::{Choice, FieldType, KeyType};
use crate::records::nearest::{clip, nearest};

/// Reads a value of the type from JSON; the message says what would be right.
pub(crate) fn parse(kind: &FieldType, value: &Value) -> Result<Cell, String> {
    match kind {
        FieldType::String | FieldType::Text => text(value).map(|text| Cell::Text(text.to_owned())),
        FieldType::Integer => integer(value),
        FieldType::Decimal { precision, scale } => decimal::parse(*precision, *scale, value),
        FieldType::Float => value
            .as_f64()
            .map(Cell::Real)
            .ok_or_else(|| wrong("a number, e.g. 1.5", value)),
        FieldType::Boolean => value
            .as_bool()
            .map(|b| Cell::Int(i64::from(b)))
            .ok_or_else(|| wrong("true or false", value)),
        FieldType::Date => date(value).map(|date| Cell::Text(date.to_string())),
        FieldType::Time => time(value),
        FieldType::Datetime => datetime(value),
        FieldType::Uuid => uuid(value),
        FieldType::Selection { options } => selection(options, value).map(Cell::Text),
        FieldType::MultiSelection { options } => multi_selection(options, value),
        FieldType::Json => json(value),
        // Of a field that leads to many records, a value is one of them.
        FieldType::ManyToOne { key, .. } | FieldType::ManyToMany { key, .. } => id(*key, value),
        FieldType::Binary { .. } => Err("is a file, which is no value to compare with".to_owned()),
        FieldType::OneToMany { .. } => Err("is a list of records and holds no value".to_owned()),
    }
}

/// What a JSON value is, for a message.
pub(crate) fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string \"{}\"", clip(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn wrong(expected: &str, value: &Value) -> String {
    format!("must be {expected}; got {}", kind_of(value))
}

/// Text without the NUL that databases stop at.
pub(crate) fn text(value: &Value) -> Result<&str, String> {
    let text = value.as_str().ok_or_else(|| wrong("a string", value))?;
    if text.contains('\0') {
        return Err("holds a NUL character, which can't be stored".to_owned());
    }
    Ok(text)
}

fn integer(value: &Value) -> Result<Cell, String> {
    value
        .as_i64()
        .map(Cell::Int)
        .ok_or_else(|| wrong("a whole number, e.g. 42", value))
}

/// The id of a record: for integers also the same as a string, for texts also a number.
pub(crate) fn id(key: KeyType, value: &Value) -> Result<Cell, String> {
    let found = match (key, value) {
        (KeyType::Uuid, _) => return uuid(value),
        (KeyType::Integer, Value::String(text)) => text.parse().ok().map(Cell::Int),
        (KeyType::Integer, other) => other.as_i64().map(Cell::Int),
        (KeyType::Text, Value::Number(number)) => Some(Cell::Text(number.to_string())),
        (KeyType::Text, other) => return text(other).map(|text| Cell::Text(text.to_owned())),
    };
    found.ok_or_else(|| wrong("the id of a record, e.g. 42", value))
}

pub(crate) fn date(value: &Value) -> Result<Date, String> {
    let expected = || wrong("a date like \"2026-01-31\"", value);
    let text = value.as_str().ok_or_else(expected)?;
    let date = Date::from_str(text).map_err(|_| expected())?;
    // The parser is more generous than the format that is promised.
    if date.to_string() == text {
        Ok(date)
    } else {
        Err(expected())
    }
}

fn time(value: &Value) -> Result<Cell, String> {
    let expected = || wrong("a time of day like \"14:30:00\"", value);
    let text = value.as_str().ok_or_else(expected)?;
    let full = if text.len() == 5 {
        format!("{text}:00")
    } else {
        text.to_owned()
    };
    let time = Time::from_str(&full).map_err(|_| expected())?;
    if time.to_string() == full {
        Ok(Cell::Text(full))
    } else {
        Err(expected())
    }
}

fn datetime(value: &Value) -> Result<Cell, String> {
    let expected = || wrong("a moment like \"2026-01-31T14:30:00Z\"", value);
    let text = value.as_str().ok_or_else(expected)?;
    let moment = Timestamp::from_str(text).map_err(|_| expected())?;
    if moment.subsec_nanosecond() % 1000 != 0 {
        return Err("is finer than a microsecond".to_owned());
    }
    Ok(Cell::Int(moment.as_microsecond()))
}

fn uuid(value: &Value) -> Result<Cell, String> {
    let expected = || {
        wrong(
            "a UUID like \"0192f0c1-2345-7abc-8def-0123456789ab\"",
            value,
        )
    };
    let text = value.as_str().ok_or_else(expected)?.to_ascii_lowercase();
    let shaped = text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if shaped {
        Ok(Cell::Text(text))
    } else {
        Err(expected())
    }
}

fn selection(options: &[Choice], value: &Value) -> Result<String, String> {
    let names = || options.iter().map(|option| option.value.as_str());
    let listed = || {
        names()
            .map(|name| format!("\"{name}\""))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let text = value
        .as_str()
        .ok_or_else(|| wrong(&format!("one of {}", listed()), value))?;
    if names().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    let near = nearest(text, names())
        .first()
        .map_or(String::new(), |near| format!(", did you mean \"{near}\"?"));
    Err(format!(
        "must be one of {}; got \"{}\"{near}",
        listed(),
        clip(text)
    ))
}

fn multi_selection(options: &[Choice], value: &Value) -> Result<Cell, String> {
    let items = value
        .as_array()
        .ok_or_else(|| wrong("an array of options", value))?;
    let mut chosen = Vec::new();
    for item in items.iter().take(options.len() + 1) {
        let name = selection(options, item)?;
        if chosen.contains(&name) {
            return Err(format!("names \"{name}\" twice"));
        }
        chosen.push(name);
    }
    // Stored in the order of the options, so that equal sets are equal text.
    let ordered: Vec<Value> = options
        .iter()
        .filter(|option| chosen.contains(&option.value))
        .map(|option| Value::String(option.value.clone()))
        .collect();
    Ok(Cell::Text(Value::Array(ordered).to_string()))
}

fn json(value: &Value) -> Result<Cell, String> {
    let text = value.to_string();
    if text.contains("\\u0000") {
        return Err("holds a NUL character, which can't be stored".to_owned());
    }
    Ok(Cell::Text(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_type_reads_its_own_form_alone() {
        let options = vec![
            Choice {
                value: "draft".into(),
                title: "Draft".into(),
            },
            Choice {
                value: "confirmed".into(),
                title: "Confirmed".into(),
            },
        ];
        let selection = FieldType::Selection {
            options: options.clone(),
        };
        let good = [
            (
                FieldType::Date,
                json!("2026-02-28"),
                Cell::Text("2026-02-28".into()),
            ),
            (
                FieldType::Time,
                json!("14:30"),
                Cell::Text("14:30:00".into()),
            ),
            (
                FieldType::Datetime,
                json!("1970-01-01T02:00:00+01:00"),
                Cell::Int(3_600_000_000),
            ),
            (FieldType::Boolean, json!(true), Cell::Int(1)),
            (
                FieldType::Uuid,
                json!("0192F0C1-2345-7ABC-8DEF-0123456789AB"),
                Cell::Text("0192f0c1-2345-7abc-8def-0123456789ab".into()),
            ),
            (
                FieldType::MultiSelection { options },
                json!(["confirmed", "draft"]),
                Cell::Text("[\"draft\",\"confirmed\"]".into()),
            ),
            (
                FieldType::ManyToOne {
                    model: "order".into(),
                    key: KeyType::Integer,
                },
                json!("42"),
                Cell::Int(42),
            ),
            (
                selection.clone(),
                json!("draft"),
                Cell::Text("draft".into()),
            ),
        ];
        for (kind, value, cell) in good {
            assert_eq!(parse(&kind, &value), Ok(cell), "{kind:?}");
        }
        let bad = [
            (FieldType::Date, json!("2026-02-30")),
            (FieldType::Date, json!("2026-02-28T10:00:00")),
            (FieldType::Date, json!("28.02.2026")),
            (FieldType::Time, json!("25:00")),
            (FieldType::Datetime, json!("2026-02-28")),
            (FieldType::Datetime, json!("2026-02-28T10:00:00")),
            (FieldType::Boolean, json!(1)),
            (FieldType::Integer, json!("42")),
            (FieldType::Integer, json!(4.2)),
            (FieldType::Uuid, json!("42")),
            (FieldType::String, json!("a\0b")),
            (FieldType::Json, json!({"a": "\0"})),
            (
                FieldType::ManyToOne {
                    model: "order".into(),
                    key: KeyType::Integer,
                },
                json!("SO-1"),
            ),
        ];
        for (kind, value) in bad {
            assert!(parse(&kind, &value).is_err(), "{kind:?} {value}");
        }
        assert_eq!(
            parse(&selection, &json!("confirm")).unwrap_err(),
            "must be one of \"draft\", \"confirmed\"; got \"confirm\", did you mean \"confirmed\"?"
        );
    }
}
