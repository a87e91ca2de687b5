use serde_json::Value;

use super::cell::Cell;
use super::parse::parse;
use crate::records::content::LARGEST;
use crate::records::model::{Field, FieldType};

/// The longest `string` of a field that sets no length.
const STRING_LENGTH: u32 = 255;
/// The longest `text` or `json` of a field that sets no length.
const TEXT_LENGTH: u32 = 100_000;

/// The greatest number of characters of a field's values; of a file, of bytes.
pub(crate) fn max_length(field: &Field) -> Option<u32> {
    let default = match field.kind {
        FieldType::String => STRING_LENGTH,
        FieldType::Text | FieldType::Json => TEXT_LENGTH,
        FieldType::Binary { .. } => LARGEST,
        _ => return None,
    };
    Some(field.limits.length.unwrap_or(default))
}

/// Reads a value for the field and checks that it keeps to the field's limits.
pub(crate) fn parse_for(field: &Field, value: &Value) -> Result<Cell, String> {
    // Checked before anything else looks at the text: it may be megabytes.
    if let (Some(max), Some(text)) = (max_length(field), value.as_str()) {
        length(text, field.limits.min_length.unwrap_or(0), max)?;
    }
    let cell = parse(&field.kind, value)?;
    if let (FieldType::Json, Some(max), Cell::Text(text)) = (&field.kind, max_length(field), &cell)
    {
        length(text, 0, max)?;
    }
    range(field, &cell)?;
    pattern(field, &cell)?;
    Ok(cell)
}

fn length(text: &str, min: u32, max: u32) -> Result<(), String> {
    let count = text.chars().count();
    if u64::try_from(count).is_ok_and(|count| count > u64::from(max)) {
        return Err(format!("has {count} characters; at most {max} are kept"));
    }
    if u64::try_from(count).is_ok_and(|count| count < u64::from(min)) {
        return Err(format!("has {count} characters; at least {min} are needed"));
    }
    Ok(())
}

fn range(field: &Field, cell: &Cell) -> Result<(), String> {
    let bound = |bound: &Option<Value>| {
        bound
            .as_ref()
            .map(|value| (value.clone(), parse(&field.kind, value)))
    };
    if let Some((value, Ok(min))) = bound(&field.limits.min)
        && less(cell, &min)
    {
        return Err(format!("must be at least {}", plain(&value)));
    }
    if let Some((value, Ok(max))) = bound(&field.limits.max)
        && less(&max, cell)
    {
        return Err(format!("must be at most {}", plain(&value)));
    }
    Ok(())
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn less(a: &Cell, b: &Cell) -> bool {
    match (a, b) {
        (Cell::Int(a), Cell::Int(b)) => a < b,
        (Cell::Real(a), Cell::Real(b)) => a < b,
        (Cell::Text(a), Cell::Text(b)) => a < b,
        _ => false,
    }
}

fn pattern(field: &Field, cell: &Cell) -> Result<(), String> {
    match (&field.limits.pattern, cell) {
        (Some(pattern), Cell::Text(text)) => pattern.check(text),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::model::Limits;
    use crate::records::values::pattern::Pattern;

    fn field(kind: FieldType, limits: Limits) -> Field {
        Field {
            kind,
            limits,
            ..Field::id()
        }
    }

    #[test]
    fn lengths_ranges_and_patterns_hold() {
        let short = field(
            FieldType::String,
            Limits {
                min_length: Some(2),
                length: Some(4),
                ..Limits::default()
            },
        );
        assert!(parse_for(&short, &json!("äöüß")).is_ok());
        assert!(
            parse_for(&short, &json!("a"))
                .unwrap_err()
                .contains("at least 2")
        );
        assert!(
            parse_for(&short, &json!("a".repeat(5_000_000)))
                .unwrap_err()
                .contains("5000000 characters")
        );
        let amount = field(
            FieldType::Decimal {
                precision: 8,
                scale: 2,
            },
            Limits {
                min: Some(json!("0")),
                max: Some(json!("10.00")),
                ..Limits::default()
            },
        );
        assert!(parse_for(&amount, &json!("9.99")).is_ok());
        assert_eq!(
            parse_for(&amount, &json!("-0.01")).unwrap_err(),
            "must be at least 0"
        );
        assert_eq!(
            parse_for(&amount, &json!("10.01")).unwrap_err(),
            "must be at most 10.00"
        );
        let code = field(
            FieldType::String,
            Limits {
                pattern: Some(Pattern::new("[A-Z]{2}|x")),
                ..Limits::default()
            },
        );
        assert!(parse_for(&code, &json!("AB")).is_ok());
        assert!(parse_for(&code, &json!("ABC")).is_err());
        assert!(parse_for(&code, &json!("zx")).is_err());
    }
}
