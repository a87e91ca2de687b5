//! Which keywords belong to which types.

use serde_json::{Map, Value, json};

use super::keyword::{anything, is_annotation, is_of, literals, type_of, type_value, types};
use crate::schema::walk::Schema;

/// The normal form of a schema for values that hold no others.
pub(super) fn scalar(flat: &Schema, kinds: &[&str]) -> Option<Value> {
    let mut normal = kept(flat, kinds);
    normal.insert("type".into(), type_value(kinds));
    if let Some(literals) = literals(flat) {
        let fitting: Vec<&Value> = literals
            .into_iter()
            .filter(|literal| kinds.iter().any(|kind| is_of(literal, kind)))
            .collect();
        let has_const = flat.contains_key("const");
        match fitting.as_slice() {
            [] => return None,
            [one] if has_const => normal.insert("const".into(), (*one).clone()),
            many => normal.insert("enum".into(), json!(many)),
        };
    }
    Some(Value::Object(normal))
}

/// The annotations, and the keywords that mean something for the types.
pub(super) fn kept(flat: &Schema, kinds: &[&str]) -> Schema {
    let mut kept = Map::new();
    kept.insert("type".into(), anything());
    for (keyword, value) in flat {
        if is_annotation(keyword) || kinds.iter().any(|kind| belongs(keyword, kind)) {
            kept.insert(keyword.clone(), value.clone());
        }
    }
    kept
}

fn belongs(keyword: &str, kind: &str) -> bool {
    match kind {
        "string" => matches!(
            keyword,
            "minLength"
                | "maxLength"
                | "pattern"
                | "format"
                | "contentEncoding"
                | "contentMediaType"
        ),
        "integer" | "number" => matches!(
            keyword,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        ),
        "array" => matches!(keyword, "minItems" | "maxItems" | "uniqueItems"),
        "object" => matches!(
            keyword,
            "minProperties" | "maxProperties" | "propertyNames" | "dependentRequired"
        ),
        _ => false,
    }
}

/// The types of a schema. Where none is named they follow from what else is said; an untyped
/// schema that says nothing has none.
pub(super) fn kinds(flat: &Schema) -> Option<Vec<&str>> {
    let named = types(flat);
    if !named.is_empty() {
        return Some(named);
    }
    if let Some(literals) = literals(flat) {
        let mut found: Vec<&str> = Vec::new();
        for literal in literals {
            let kind = type_of(literal);
            if !found.contains(&kind) {
                found.push(kind);
            }
        }
        return Some(found);
    }
    if flat.contains_key("properties") || flat.get("additionalProperties") == Some(&json!(false)) {
        return Some(vec!["object"]);
    }
    flat.contains_key("items").then(|| vec!["array"])
}
