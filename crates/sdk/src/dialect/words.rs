//! What a provider does not take as a keyword, said in a sentence.

use serde_json::Value;

use crate::schema::walk::{Holds, Schema, holds};

/// Values are told up to this many characters.
const LONGEST: usize = 300;

/// The sentence for a keyword; nothing where the keyword forbids and tells nothing.
pub(super) fn sentence(keyword: &str, value: &Value) -> Option<String> {
    let text = value.as_str().unwrap_or_default();
    let told = match keyword {
        "minLength" => format!("At least {}.", counted(value, "character")),
        "maxLength" => format!("At most {}.", counted(value, "character")),
        "minItems" => format!("At least {}.", counted(value, "item")),
        "maxItems" => format!("At most {}.", counted(value, "item")),
        "minProperties" => format!("At least {}.", counted(value, "property")),
        "maxProperties" => format!("At most {}.", counted(value, "property")),
        "minimum" => format!("At least {value}."),
        "maximum" => format!("At most {value}."),
        "exclusiveMinimum" => format!("More than {value}."),
        "exclusiveMaximum" => format!("Less than {value}."),
        "multipleOf" => format!("A multiple of {value}."),
        "pattern" => format!("Matches the pattern `{}`.", cut(text)),
        "format" => format!("Format: {}.", cut(text)),
        "contentEncoding" => format!("Encoded as {}.", cut(text)),
        "contentMediaType" => format!("Content type: {}.", cut(text)),
        "uniqueItems" if *value == true => "No item twice.".to_owned(),
        "deprecated" if *value == true => "Deprecated.".to_owned(),
        "default" => format!("Default: {}.", brief(value)),
        "const" => format!("Always {}.", brief(value)),
        "enum" => format!("One of {}.", brief(value)),
        "examples" => format!("Examples: {}.", brief(value)),
        "required" => return required(value),
        "dependentRequired" => return dependents(value),
        "not" => format!("Not valid under {}.", brief(value)),
        "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems"
            if value.is_boolean() =>
        {
            return None;
        }
        _ if holds(keyword) != Holds::Nothing => format!("{keyword}: {}.", brief(value)),
        _ => return None,
    };
    Some(told)
}

/// Takes keywords out of a schema and gives the sentences for them.
pub(super) fn pull(schema: &mut Schema, keywords: &[&str]) -> Vec<String> {
    let mut told = Vec::new();
    for keyword in keywords {
        if let Some(value) = schema.shift_remove(*keyword) {
            told.extend(sentence(keyword, &value));
        }
    }
    told
}

/// JSON text, cut where it is long.
pub(super) fn brief(value: &Value) -> String {
    cut(&value.to_string())
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(LONGEST).collect::<String>())
}

fn counted(value: &Value, noun: &str) -> String {
    match (value.as_u64(), noun.strip_suffix('y')) {
        (Some(1), _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{value} {stem}ies"),
        _ => format!("{value} {noun}s"),
    }
}

fn required(value: &Value) -> Option<String> {
    let names = quoted(value)?;
    Some(format!("Required: {names}."))
}

fn dependents(value: &Value) -> Option<String> {
    let told: Vec<String> = value
        .as_object()?
        .iter()
        .filter_map(|(name, needs)| Some(format!("`{name}` only with {}.", quoted(needs)?)))
        .collect();
    (!told.is_empty()).then(|| told.join(" "))
}

fn quoted(names: &Value) -> Option<String> {
    let names: Vec<String> = names
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .map(|name| format!("`{name}`"))
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}
