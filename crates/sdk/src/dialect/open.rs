//! Writes a schema for providers that take any JSON Schema, and sample freely.

use serde_json::Value;

use super::keyword::{anything, literals, properties, types};
use super::sheet::Sheet;
use crate::schema::walk::{Schema, each, each_mut};

/// Keywords that look at one object from several sides. Closing one side would forbid what the
/// others list.
const SIDES: [&str; 7] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "unevaluatedProperties",
];

/// Writes a sheet as it is; closed, where every object in it says which properties it has.
pub(super) fn write(sheet: Sheet) -> Value {
    let mut schema = sheet.into_value();
    each_mut(&mut schema, &mut |object| {
        // OpenAI and servers like it refuse a list that does not speak of its items.
        if types(object).contains(&"array") && !object.contains_key("items") {
            object.insert("items".into(), anything());
        }
    });
    if can_close(&schema) {
        each_mut(&mut schema, &mut |object| {
            if object.contains_key("properties") {
                object
                    .entry("additionalProperties")
                    .or_insert(Value::Bool(false));
            }
        });
    }
    schema
}

fn can_close(schema: &Value) -> bool {
    let mut closes = true;
    each(schema, &mut |object| {
        let has_sides = SIDES.iter().any(|keyword| object.contains_key(*keyword));
        closes &= !has_sides && says_its_properties(object);
    });
    closes
}

fn says_its_properties(schema: &Schema) -> bool {
    let is_union = schema.contains_key("anyOf") || schema.contains_key("oneOf");
    let refers = schema.contains_key("$ref");
    if literals(schema).is_some() {
        return true;
    }
    let is_object = types(schema).contains(&"object") || schema.contains_key("properties");
    if !is_object {
        return is_union || refers || !types(schema).is_empty();
    }
    let is_closed = match schema.get("additionalProperties") {
        Some(more) => *more == false,
        None => properties(schema).is_some(),
    };
    is_closed && !is_union && !refers && !schema.contains_key("patternProperties")
}
