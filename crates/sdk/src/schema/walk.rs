//! Where schemas stand inside schemas.

use serde_json::{Map, Value};

/// One schema object.
pub(crate) type Schema = Map<String, Value>;

/// Schemas nested deeper than this are not looked into; nobody writes them by hand, and a walk
/// that calls itself must end.
pub(crate) const DEEPEST: usize = 64;

const ONE: [&str; 12] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "not",
    "contains",
    "propertyNames",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const MAPS: [&str; 5] = [
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
];

/// What stands under a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One schema, or a boolean.
    One,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Map,
    /// No schema.
    Nothing,
}

/// Says what stands under a keyword.
pub(crate) fn holds(keyword: &str) -> Holds {
    if ONE.contains(&keyword) {
        Holds::One
    } else if LISTS.contains(&keyword) {
        Holds::List
    } else if MAPS.contains(&keyword) {
        Holds::Map
    } else {
        Holds::Nothing
    }
}

/// The schemas directly inside a schema.
pub(crate) fn children(schema: &Schema) -> Vec<&Value> {
    under(schema, |_| true)
}

/// The schemas directly inside a schema that say something of its values. A definition counts
/// where something refers to it.
pub(crate) fn parts(schema: &Schema) -> Vec<&Value> {
    under(schema, |keyword| {
        !matches!(keyword, "$defs" | "definitions")
    })
}

fn under(schema: &Schema, counts: fn(&str) -> bool) -> Vec<&Value> {
    let mut found = Vec::new();
    for (keyword, inner) in schema.iter().filter(|(keyword, _)| counts(keyword)) {
        match (holds(keyword), inner) {
            (Holds::One, one) => found.push(one),
            (Holds::List, Value::Array(list)) => found.extend(list),
            (Holds::Map, Value::Object(map)) => found.extend(map.values()),
            _ => {}
        }
    }
    found
}

/// The schemas directly inside a schema, to be changed.
pub(crate) fn children_mut(schema: &mut Schema) -> Vec<&mut Value> {
    let mut found = Vec::new();
    for (keyword, inner) in schema.iter_mut() {
        match (holds(keyword), inner) {
            (Holds::One, one) => found.push(one),
            (Holds::List, Value::Array(list)) => found.extend(list.iter_mut()),
            (Holds::Map, Value::Object(map)) => found.extend(map.values_mut()),
            _ => {}
        }
    }
    found
}

/// Visits every schema object inside `schema`, itself first.
pub(crate) fn each(schema: &Value, visit: &mut dyn FnMut(&Schema)) {
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        if let Value::Object(object) = schema {
            visit(object);
            let mut inner = children(object);
            inner.reverse();
            waiting.extend(inner);
        }
    }
}

/// Visits every schema object inside `schema` to change it, itself first.
pub(crate) fn each_mut(schema: &mut Value, visit: &mut dyn FnMut(&mut Schema)) {
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        if let Value::Object(object) = schema {
            visit(object);
            waiting.extend(children_mut(object));
        }
    }
}
