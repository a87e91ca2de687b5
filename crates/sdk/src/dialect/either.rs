//! Schemas of which one holds, made one.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::keyword::{list, literals, properties, required, same};
use crate::schema::walk::Schema;

/// One object schema for what is valid under one of several: all their properties, and required
/// what each of them requires.
pub(super) fn one_object(branches: &[Schema]) -> Schema {
    let mut merged = Map::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut listed: Vec<(&str, Vec<&Value>)> = Vec::new();
    for (name, schema) in branches.iter().filter_map(properties).flatten() {
        let place = *places.entry(name).or_insert(listed.len());
        match listed.get_mut(place) {
            Some((_, schemas)) => schemas.push(schema),
            None => listed.push((name, vec![schema])),
        }
    }
    let named: Map<String, Value> = listed
        .into_iter()
        .map(|(name, schemas)| {
            let is_loose = branches.iter().any(|branch| leaves_open(branch, name));
            let schema = if is_loose {
                anything(&schemas)
            } else {
                either(&schemas)
            };
            (name.to_owned(), schema)
        })
        .collect();
    if !named.is_empty() {
        merged.insert("properties".into(), Value::Object(named));
    }
    let shared: Vec<&str> = branches.first().map(required).unwrap_or_default();
    let shared: Vec<&str> = shared
        .into_iter()
        .filter(|name| {
            branches
                .iter()
                .all(|branch| required(branch).contains(name))
        })
        .collect();
    if !shared.is_empty() {
        merged.insert("required".into(), Value::from(shared));
    }
    let is_closed = |branch: &Schema| branch.get("additionalProperties") == Some(&json!(false));
    if branches.iter().any(is_free) {
        merged.insert("additionalProperties".into(), Value::Bool(true));
    } else if branches.iter().all(is_closed) {
        merged.insert("additionalProperties".into(), Value::Bool(false));
    }
    merged
}

/// Whether a branch takes properties that it does not list.
fn is_free(branch: &Schema) -> bool {
    match branch.get("additionalProperties") {
        Some(more) => *more != false,
        None => !branch.contains_key("properties") && !branch.contains_key("required"),
    }
}

/// Whether a property may hold anything in a branch, whatever other branches say of it.
fn leaves_open(branch: &Schema, name: &str) -> bool {
    is_free(branch) && properties(branch).is_none_or(|listed| !listed.contains_key(name))
}

/// A schema that takes everything and keeps what is said of the property.
fn anything(schemas: &[&Value]) -> Value {
    let told = schemas.iter().find_map(|schema| schema.get("description"));
    let told = told.map(|text| ("description".to_owned(), text.clone()));
    Value::Object(told.into_iter().collect())
}

/// The schema of what is valid under one of several.
pub(super) fn either(schemas: &[&Value]) -> Value {
    let mut distinct: Vec<Value> = Vec::new();
    for schema in schemas {
        let inner = match schema.as_object() {
            Some(object) if object.len() == 1 && object.contains_key("anyOf") => {
                list(object, "anyOf").iter().collect()
            }
            _ => vec![*schema],
        };
        for one in inner {
            if !distinct.contains(one) {
                distinct.push(one.clone());
            }
        }
    }
    match distinct.as_slice() {
        [one] => one.clone(),
        many => enumeration(many).unwrap_or_else(|| json!({ "anyOf": many })),
    }
}

/// One `enum` for several schemas that only list values of one type.
fn enumeration(schemas: &[Value]) -> Option<Value> {
    let mut merged = Map::new();
    let mut values: Vec<Value> = Vec::new();
    for schema in schemas {
        let schema = schema.as_object()?;
        let lists_values = schema.keys().all(|keyword| {
            matches!(
                keyword.as_str(),
                "type" | "enum" | "const" | "title" | "description"
            )
        });
        let literals = literals(schema).filter(|_| lists_values)?;
        match (merged.get("type"), schema.get("type")) {
            (None, Some(kind)) if values.is_empty() => {
                merged.insert("type".into(), kind.clone());
            }
            (ours, theirs) if ours == theirs => {}
            _ => return None,
        }
        for literal in literals {
            if !values.iter().any(|other| same(other, literal)) {
                values.push(literal.clone());
            }
        }
    }
    let first = schemas.first()?.get("description");
    if let Some(text) = first
        && schemas
            .iter()
            .all(|schema| schema.get("description") == first)
    {
        merged.insert("description".into(), text.clone());
    }
    merged.insert("enum".into(), Value::Array(values));
    Some(Value::Object(merged))
}
