//! Writes a schema for Gemini, which takes a part of JSON Schema and never samples strictly.

use serde_json::{Map, Value, json};

use super::join::{Conflict, both};
use super::keyword::{anything, literals, required, say, target, type_of, types};
use super::sheet::Sheet;
use super::words::{self, brief};
use crate::schema::walk::{Schema, each};

const TAKEN: [&str; 15] = [
    "type",
    "format",
    "title",
    "description",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
];

/// Where a schema stands, as far as references that lead back to it go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the root, which nothing refers to.
    Root,
    /// In a definition, with no property in between.
    Definition,
    /// In a property of a definition.
    Property,
}

/// Writes a sheet whose references are inlined as far as that goes.
pub(super) fn write(sheet: &Sheet) -> Value {
    let mut written = Sheet::default();
    if let Value::Object(root) = schema(&sheet.root, Place::Root) {
        written.root = root;
    }
    for (name, body) in &sheet.defs {
        let body = body.as_object().map(|body| schema(body, Place::Definition));
        written
            .defs
            .insert(name.clone(), body.unwrap_or_else(anything));
    }
    written.into_value()
}

fn schema(source: &Schema, place: Place) -> Value {
    let mut source = joined(source);
    let mut told = Vec::new();
    let reference = source.shift_remove("$ref");
    let listed = listed_values(&mut source, &mut told);
    let mut written = Map::new();
    for (keyword, value) in &source {
        if !TAKEN.contains(&keyword.as_str()) {
            told.extend(words::sentence(keyword, value));
            continue;
        }
        written.insert(keyword.clone(), keyword_value(keyword, value, place));
    }
    written.extend(listed);
    match reference {
        // A cycle may only lead through properties; elsewhere it is cut.
        Some(_) if place == Place::Definition => {}
        Some(reference) if written.is_empty() && told.is_empty() => {
            written.insert("$ref".into(), reference);
        }
        Some(reference) if !written.contains_key("anyOf") => {
            written.insert("anyOf".into(), json!([{ "$ref": reference }]));
        }
        _ => {}
    }
    if types(&written).contains(&"array") && !written.contains_key("items") {
        written.insert("items".into(), anything());
    }
    say(&mut written, &told);
    require(&mut written, place);
    Value::Object(written)
}

/// Joins what `allOf` says into the schema; a part that can't be is told in words.
fn joined(source: &Schema) -> Schema {
    let mut own = source.clone();
    let Some(Value::Array(parts)) = own.shift_remove("allOf") else {
        return own;
    };
    let mut told = Vec::new();
    for part in parts {
        let Value::Object(part) = part else { continue };
        let part = joined(&part);
        match both(own.clone(), part.clone(), Conflict::Refuse) {
            Some(both) => own = both,
            None => told.push(format!("Also valid under {}.", brief(&Value::Object(part)))),
        }
    }
    say(&mut own, &told);
    own
}

fn keyword_value(keyword: &str, value: &Value, place: Place) -> Value {
    let inner = |value: &Value, place: Place| match value {
        Value::Object(object) => schema(object, place),
        other => other.clone(),
    };
    match (keyword, value) {
        ("items" | "additionalProperties", one) => inner(one, place),
        ("prefixItems" | "anyOf" | "oneOf", Value::Array(list)) => {
            list.iter().map(|one| inner(one, place)).collect()
        }
        ("properties", Value::Object(map)) => {
            let place = if place == Place::Root {
                place
            } else {
                Place::Property
            };
            let map = map
                .iter()
                .map(|(name, one)| (name.clone(), inner(one, place)));
            Value::Object(map.collect())
        }
        (_, plain) => plain.clone(),
    }
}

/// Lists values the way Gemini takes them: strings and numbers under `enum`, null as a type.
fn listed_values(source: &mut Schema, told: &mut Vec<String>) -> Schema {
    let mut written = Map::new();
    let Some(values) = literals(source).map(|all| all.into_iter().cloned().collect::<Vec<_>>())
    else {
        return written;
    };
    source.shift_remove("enum");
    source.shift_remove("const");
    let (nulls, others): (Vec<_>, Vec<_>) = values.iter().partition(|value| value.is_null());
    let are_taken = others
        .iter()
        .all(|value| value.is_string() || value.is_number());
    if others.is_empty() || !are_taken {
        let keyword = if values.len() == 1 { "const" } else { "enum" };
        let whole = match values.as_slice() {
            [one] => one.clone(),
            many => Value::from(many.to_vec()),
        };
        told.extend(words::sentence(keyword, &whole));
        if types(source).is_empty() && !source.contains_key("anyOf") {
            let mut kinds: Vec<&str> = values.iter().map(type_of).collect();
            kinds.dedup();
            if let [kind] = kinds.as_slice() {
                written.insert("type".into(), Value::from(*kind));
            }
        }
        return written;
    }
    if nulls.is_empty() {
        written.insert("enum".into(), json!(others));
        return written;
    }
    let mut branch = Map::new();
    let kinds: Vec<&str> = types(source)
        .into_iter()
        .filter(|kind| *kind != "null")
        .collect();
    if !kinds.is_empty() {
        branch.insert("type".into(), super::keyword::type_value(&kinds));
    }
    branch.insert("enum".into(), json!(others));
    source.shift_remove("type");
    if source.contains_key("anyOf") {
        told.extend(words::sentence("enum", &Value::from(values)));
    } else {
        written.insert("anyOf".into(), json!([branch, { "type": "null" }]));
    }
    written
}

/// Requires what is listed and leads into no cycle; the rest is told.
fn require(written: &mut Schema, place: Place) {
    let needed: Vec<String> = required(written).into_iter().map(str::to_owned).collect();
    let mut kept: Vec<String> = Vec::new();
    let mut unlisted = Vec::new();
    let Some(Value::Object(map)) = written.get_mut("properties") else {
        if let Some(names) = written.shift_remove("required") {
            let told: Vec<String> = words::sentence("required", &names).into_iter().collect();
            say(written, &told);
        }
        return;
    };
    for name in needed {
        match map.get_mut(&name) {
            Some(schema) if place != Place::Root && refers(schema) => {
                let inner = std::mem::take(schema);
                *schema = beside_reference(inner, "Required.");
            }
            Some(_) => kept.push(name),
            None => unlisted.push(name),
        }
    }
    if written.contains_key("required") {
        written.insert("required".into(), Value::from(kept));
    }
    if !unlisted.is_empty() {
        let told: Vec<String> = words::sentence("required", &Value::from(unlisted))
            .into_iter()
            .collect();
        say(written, &told);
    }
}

fn refers(schema: &Value) -> bool {
    let mut found = false;
    each(schema, &mut |object| found |= target(object).is_some());
    found
}

/// Says something of a schema; beside a bare reference nothing may stand.
fn beside_reference(schema: Value, sentence: &str) -> Value {
    let mut object = match schema {
        Value::Object(object) if object.contains_key("$ref") => {
            Map::from_iter([("anyOf".to_owned(), json!([object]))])
        }
        Value::Object(object) => object,
        other => return other,
    };
    say(&mut object, &[sentence.to_owned()]);
    Value::Object(object)
}
