//! Keywords that hold no schema: whether what they hold makes sense.

use serde_json::Value;

use super::keyword::same;

/// Literals nested deeper than this are dropped.
const DEEPEST_LITERAL: usize = 32;

/// Words that only say where a schema is; references are rewritten, so nothing needs them.
const ADDRESSES: [&str; 9] = [
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$vocabulary",
    "$dynamicRef",
    "$recursiveRef",
];

/// What is kept of a keyword's value; nothing where it makes no sense.
pub(super) fn plain(keyword: &str, value: &Value) -> Option<Value> {
    let makes_sense = match keyword {
        "title" | "description" | "format" | "$comment" | "contentEncoding"
        | "contentMediaType" => value.is_string(),
        "pattern" => value.as_str().is_some_and(is_pattern),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => value.is_u64(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "multipleOf" => value.as_f64().is_some_and(|number| number > 0.0),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => value.is_boolean(),
        "required" => return names(value),
        "enum" => return literals(value),
        "dependentRequired" => return dependents(value),
        "examples" => value.is_array() && is_shallow(value),
        address if ADDRESSES.contains(&address) => false,
        _ => is_shallow(value),
    };
    makes_sense.then(|| value.clone())
}

fn names(value: &Value) -> Option<Value> {
    let mut kept: Vec<&str> = Vec::new();
    for name in value.as_array()?.iter().filter_map(Value::as_str) {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    Some(Value::from(kept))
}

fn literals(value: &Value) -> Option<Value> {
    let mut kept: Vec<&Value> = Vec::new();
    for literal in value.as_array()? {
        if !is_shallow(literal) {
            return None;
        }
        // Comparing each with each is for short lists; a long one is the author's own.
        if kept.len() > 2_000 || !kept.iter().any(|other| same(other, literal)) {
            kept.push(literal);
        }
    }
    (!kept.is_empty()).then(|| kept.into_iter().cloned().collect())
}

fn dependents(value: &Value) -> Option<Value> {
    let map = value.as_object()?;
    let kept = map
        .iter()
        .filter_map(|(name, needs)| Some((name.clone(), names(needs)?)))
        .collect();
    Some(Value::Object(kept))
}

fn is_pattern(pattern: &str) -> bool {
    let schema = serde_json::json!({ "pattern": pattern });
    jsonschema::validator_for(&schema).is_ok()
}

/// Whether a value is nested so little that it can be copied without care.
fn is_shallow(value: &Value) -> bool {
    let mut waiting = vec![(value, 0_usize)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > DEEPEST_LITERAL {
            return false;
        }
        match value {
            Value::Array(list) => waiting.extend(list.iter().map(|one| (one, depth + 1))),
            Value::Object(map) => waiting.extend(map.values().map(|one| (one, depth + 1))),
            _ => {}
        }
    }
    true
}
