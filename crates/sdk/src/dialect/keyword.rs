//! Small questions about one schema object.

use serde_json::{Map, Value};

use crate::schema::walk::Schema;

/// The type words that JSON Schema knows.
const TYPES: [&str; 7] = [
    "null", "boolean", "integer", "number", "string", "array", "object",
];

const ANNOTATIONS: [&str; 8] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];

/// Whether the word is a type.
pub(super) fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}

/// Whether the keyword only tells something and forbids nothing.
pub(super) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// Whether the schema forbids nothing.
pub(super) fn only_annotates(schema: &Schema) -> bool {
    schema.keys().all(|keyword| is_annotation(keyword))
}

/// The types that a schema names.
pub(super) fn types(schema: &Schema) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The `type` keyword for some types.
pub(super) fn type_value(kinds: &[&str]) -> Value {
    match kinds {
        [one] => Value::from(*one),
        many => Value::from(many.to_vec()),
    }
}

/// The most precise type of a value.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && !is_whole(value) => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a value is of a type.
pub(super) fn is_of(value: &Value, kind: &str) -> bool {
    let own = type_of(value);
    own == kind || (own == "integer" && kind == "number")
}

fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Whether two values are one in JSON Schema's terms, where 1 is 1.0.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    if one == other {
        return true;
    }
    match (one, other) {
        (Value::Number(_), Value::Number(_)) => one.as_f64() == other.as_f64(),
        _ => false,
    }
}

/// The name of the definition that a schema refers to.
pub(super) fn target(schema: &Schema) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// A reference to a definition.
pub(super) fn reference(name: &str) -> Value {
    Value::from(format!("#/$defs/{name}"))
}

/// The list under a keyword; empty where there is none.
pub(super) fn list<'a>(schema: &'a Schema, keyword: &str) -> &'a [Value] {
    schema
        .get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The properties of a schema.
pub(super) fn properties(schema: &Schema) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

/// The names that a schema requires.
pub(super) fn required(schema: &Schema) -> Vec<&str> {
    list(schema, "required")
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

/// The values that a schema lists with `enum` or `const`.
pub(super) fn literals(schema: &Schema) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(one), _) => Some(vec![one]),
        (None, Some(Value::Array(many))) => Some(many.iter().collect()),
        _ => None,
    }
}

/// The schema that takes everything.
pub(super) fn anything() -> Value {
    Value::Object(Map::new())
}

/// Whether a schema takes nothing, as a boolean `false` does.
pub(super) fn is_nothing(schema: &Value) -> bool {
    schema.get("not") == Some(&anything())
}

/// Puts sentences behind the description.
pub(super) fn say(schema: &mut Schema, sentences: &[String]) {
    for sentence in sentences {
        let before = schema
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim_end();
        let joint = match before.chars().last() {
            None => "",
            Some('.' | '!' | '?' | ':' | ';') => " ",
            Some(_) => ". ",
        };
        let text = format!("{before}{joint}{sentence}");
        schema.insert("description".into(), Value::from(text));
    }
}
