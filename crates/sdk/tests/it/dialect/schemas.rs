//! Schemas made up for property tests.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Which schemas are made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Only what strict modes can say in full.
    Plain,
    /// Everything.
    Full,
}

const NAMES: [&str; 8] = ["a", "b", "kind", "x-y", "größe", "", "nul\u{0}", "x_y"];

fn scalar(kind: Kind) -> BoxedStrategy<Value> {
    let plain = prop_oneof![
        4 => Just(json!({ "type": "string" })),
        2 => Just(json!({ "type": "integer", "minimum": -2, "maximum": 5 })),
        1 => Just(json!({ "type": "number", "description": "A number" })),
        2 => Just(json!({ "type": "boolean" })),
        1 => Just(json!({ "type": "null" })),
        1 => Just(json!({ "type": ["string", "null"] })),
        2 => Just(json!({ "type": "string", "enum": ["x", "y"] })),
        1 => Just(json!({ "enum": ["x", 1, true, null] })),
        1 => Just(json!({ "const": "only" })),
        1 => Just(json!({ "type": "integer", "const": 3 })),
        1 => Just(json!({ "type": "string", "pattern": "^x*$" })),
    ];
    if kind == Kind::Plain {
        return plain.boxed();
    }
    prop_oneof![
        12 => plain,
        1 => Just(json!({ "type": "string", "minLength": 2, "default": "xx" })),
        1 => Just(json!({ "type": "string", "format": "uri", "examples": ["x:y"] })),
        1 => Just(json!({ "type": "str", "description": "Odd" })),
        1 => Just(json!({})),
        1 => Just(json!(true)),
        1 => Just(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
        1 => Just(json!({ "enum": [{ "x-y": 1 }, [2]] })),
    ]
    .boxed()
}

/// A reference, sometimes with words beside it.
fn reference(kind: Kind) -> BoxedStrategy<Value> {
    let plain = (0..3_usize).prop_map(|number| json!({ "$ref": format!("#/$defs/D{number}") }));
    if kind == Kind::Plain {
        return plain.boxed();
    }
    let told = (0..3_usize)
        .prop_map(|number| json!({ "$ref": format!("#/$defs/D{number}"), "description": "Told" }));
    let wrapped = (0..3_usize).prop_map(
        |number| json!({ "allOf": [{ "$ref": format!("#/$defs/D{number}") }], "title": "Old" }),
    );
    prop_oneof![4 => plain, 2 => told, 1 => wrapped].boxed()
}

fn object(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let field = (0..NAMES.len(), inner, any::<bool>());
    (prop::collection::vec(field, 0..4), 0..3_u8)
        .prop_map(|(fields, closing)| {
            let mut properties = Map::new();
            let mut required: Vec<&str> = Vec::new();
            for (name, schema, is_required) in fields {
                let name = NAMES[name];
                let is_new = properties.insert(name.to_owned(), schema).is_none();
                if is_required && is_new {
                    required.push(name);
                }
            }
            let mut schema = json!({ "type": "object", "properties": properties });
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            if closing > 0 {
                schema["additionalProperties"] = json!(false);
            }
            schema
        })
        .boxed()
}

fn nested(kind: Kind) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![5 => scalar(kind), 1 => reference(kind)];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let inner = inner.boxed();
        let list = inner
            .clone()
            .prop_map(|items| json!({ "type": "array", "items": items }));
        let union = prop::collection::vec(inner.clone(), 1..4)
            .prop_map(|branches| json!({ "anyOf": branches, "description": "Some" }));
        let tagged = prop::collection::vec(object(inner.clone()), 1..3).prop_map(tag);
        let nullable = object(inner.clone()).prop_map(|mut schema| {
            schema["type"] = json!(["object", "null"]);
            schema
        });
        prop_oneof![4 => object(inner), 2 => list, 2 => union, 1 => tagged, 1 => nullable]
    })
    .boxed()
}

/// Objects told apart by their `kind`.
fn tag(branches: Vec<Value>) -> Value {
    let tagged = branches
        .into_iter()
        .enumerate()
        .map(|(number, mut branch)| {
            branch["properties"]["kind"] = json!({ "const": format!("k{number}") });
            let names = branch.get("required").and_then(Value::as_array).cloned();
            let mut names = names.unwrap_or_default();
            if !names.contains(&json!("kind")) {
                names.push(json!("kind"));
            }
            branch["required"] = Value::Array(names);
            branch
        });
    json!({ "oneOf": tagged.collect::<Vec<_>>() })
}

fn with_definitions(root: BoxedStrategy<Value>, kind: Kind) -> BoxedStrategy<Value> {
    let body = prop_oneof![3 => object(nested(kind)), 1 => nested(kind)];
    (root, prop::collection::vec(body, 3))
        .prop_map(|(mut root, bodies)| {
            let named = bodies.into_iter().enumerate();
            let defs: Map<String, Value> = named
                .map(|(number, body)| (format!("D{number}"), body))
                .collect();
            root["$defs"] = Value::Object(defs);
            root
        })
        .boxed()
}

/// Whole schemas with an object at the root.
pub(crate) fn objects(kind: Kind) -> BoxedStrategy<Value> {
    with_definitions(object(nested(kind)), kind)
}

/// Whole schemas with a union, a reference or a sum at the root.
pub(crate) fn unions() -> BoxedStrategy<Value> {
    let branch = || prop_oneof![3 => object(nested(Kind::Full)), 1 => reference(Kind::Full)];
    let any = prop::collection::vec(branch(), 1..4).prop_map(|all| json!({ "anyOf": all }));
    let tagged = prop::collection::vec(object(nested(Kind::Full)), 1..4).prop_map(tag);
    let refers = reference(Kind::Full);
    let sum = object(nested(Kind::Full)).prop_map(|mut one| {
        one.as_object_mut()
            .unwrap()
            .shift_remove("additionalProperties");
        json!({ "allOf": [one, { "type": "object", "properties": { "z": { "type": "null" } } }] })
    });
    let needs = object(nested(Kind::Full)).prop_map(|mut one| {
        one["properties"]["p"] = json!({ "type": "string" });
        one["properties"]["q"] = json!({ "type": "string" });
        one["anyOf"] = json!([{ "required": ["p"] }, { "required": ["q"] }]);
        one
    });
    let root = prop_oneof![any, tagged, refers, sum, needs].boxed();
    with_definitions(root, Kind::Full)
}
