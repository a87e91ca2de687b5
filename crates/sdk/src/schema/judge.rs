//! Closed or open, from the schema alone.

use std::collections::HashSet;

use serde_json::Value;

use super::walk::{Schema, parts};

/// Whether every object in the schema says which properties it has.
///
/// An object that lists its properties counts as closed unless it takes further ones. What may
/// be anything counts as open: a free-form map, an array of anything, an open JSON value.
///
/// ```
/// use serde_json::json;
/// use toolcrib::schema::is_closed;
///
/// assert!(is_closed(&json!({ "type": "object", "properties": { "a": { "type": "null" } } })));
/// assert!(!is_closed(&json!({ "type": "object", "additionalProperties": true })));
/// assert!(!is_closed(&json!({ "type": "object", "properties": { "a": true } })));
/// ```
#[must_use]
pub fn is_closed(schema: &Value) -> bool {
    let mut seen: HashSet<*const Value> = HashSet::new();
    let mut waiting = vec![schema];
    while let Some(next) = waiting.pop() {
        let object = match next {
            Value::Object(object) => object,
            // Nothing at all is valid under `false`.
            Value::Bool(false) => continue,
            _ => return false,
        };
        if !says_what_it_takes(object) {
            return false;
        }
        if let Some(reference) = object.get("$ref") {
            let Some(target) = find(schema, reference) else {
                return false;
            };
            if seen.insert(std::ptr::from_ref(target)) {
                waiting.push(target);
            }
        }
        waiting.extend(parts(object));
    }
    true
}

/// Whether a keyword only tells something.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly"
    )
}

fn says_what_it_takes(object: &Schema) -> bool {
    let names = |wanted: &str| match object.get("type") {
        Some(Value::String(name)) => name == wanted,
        Some(Value::Array(names)) => names.iter().any(|name| name == wanted),
        _ => false,
    };
    let has = |keyword: &str| object.contains_key(keyword);
    if has("enum") || has("const") {
        return true;
    }
    let is_combined = ["$ref", "anyOf", "oneOf", "allOf"]
        .iter()
        .any(|one| has(one));
    if names("array") && !has("items") && !has("prefixItems") {
        return false;
    }
    if names("object") || has("properties") {
        let is_map = has("patternProperties")
            || object
                .get("additionalProperties")
                .is_some_and(|more| *more != false);
        return !is_map && (has("properties") || has("additionalProperties") || is_combined);
    }
    has("type") || is_combined
}

fn find<'a>(schema: &'a Value, reference: &Value) -> Option<&'a Value> {
    match reference.as_str()?.strip_prefix('#')? {
        "" => Some(schema),
        pointer => schema.pointer(pointer),
    }
}
