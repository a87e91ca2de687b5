//! Schemas that are none, and schemas that are too much.

use serde_json::{Value, json};
use toolcrib::dialect::Dialect::OpenAi;

use super::{ALL, property, translate};

#[test]
fn json_that_is_no_schema_is_sent_as_something_a_provider_takes() {
    let nonsense = [
        json!(null),
        json!(true),
        json!(false),
        json!(7),
        json!("dict"),
        json!([]),
        json!([{ "type": "object" }]),
        json!({ "type": 7, "properties": [] }),
        json!({ "type": [], "properties": null }),
        json!({ "type": "object", "properties": { "a": null, "b": 1, "c": "string", "d": [] } }),
        json!({ "type": "object", "properties": { "a": { "type": "string", "required": true } } }),
        json!({ "type": "object", "properties": { "a": { "enum": [] } }, "required": "a" }),
        json!({ "type": "object", "properties": { "a": { "enum": "x", "pattern": "(" } } }),
        json!({ "type": "object", "properties": { "a": { "anyOf": {}, "allOf": [], "oneOf": 1 } } }),
        json!({ "type": "object", "properties": { "a": { "$ref": 1, "items": "x" } } }),
        json!({ "type": "object", "properties": { "a": { "minLength": -1, "minimum": "x" } } }),
        json!({ "type": "object", "properties": { "a": { "description": 1, "format": [] } } }),
        json!({ "type": "object", "properties": { "a": { "multipleOf": 0, "default": [[]] } } }),
        json!({ "type": "object", "properties": { "": {}, "\u{0}": {}, "🦀": {}, "$ref": {} } }),
        json!({ "type": "object", "required": ["a", "a", 1], "additionalProperties": "no" }),
        json!({ "$defs": 1, "definitions": [], "$id": 2, "$schema": 3, "$anchor": {} }),
        json!({ "type": "object", "properties": { "properties": { "type": "object" } } }),
        json!({ "type": "object", "properties": { "a": false }, "required": ["a"] }),
        json!({ "anyOf": [null, 1, "x"], "oneOf": [{}] }),
        json!({ "enum": [1, 2] }),
    ];
    for schema in nonsense {
        for dialect in ALL {
            let translated = translate(dialect, &schema);
            assert!(
                jsonschema::validator_for(translated.schema()).is_ok(),
                "{schema}"
            );
            let output = dialect.translate_output(&schema);
            super::invariants::check(dialect, &output).unwrap();
        }
    }
}

#[test]
fn a_type_that_does_not_exist_is_told_and_left_open() {
    for word in [
        "str",
        "dict",
        "any",
        "float",
        "tuple",
        "String",
        "List[str]",
    ] {
        for dialect in ALL {
            let sent = property(dialect, &json!({ "type": word, "description": "Who" }));
            assert_eq!(
                sent,
                json!({ "description": format!("Who. Type: {word}.") })
            );
        }
    }
    assert_eq!(
        property(OpenAi, &json!({ "type": ["string", "str"] })),
        json!({
            "description": "Type: string or str.",
        })
    );
    assert_eq!(property(OpenAi, &json!(true)), json!({}));
}

#[test]
fn nesting_of_any_depth_ends() {
    let wraps: [fn(Value) -> Value; 6] = [
        |inner| under("properties", under("a", inner)),
        |inner| under("items", inner),
        |inner| under("anyOf", Value::Array(vec![inner])),
        |inner| under("allOf", Value::Array(vec![inner])),
        |inner| under("default", inner),
        |inner| under("x-own", inner),
    ];
    for wrap in wraps {
        let schema = deep(wrap);
        for dialect in ALL {
            translate(dialect, &schema);
            let _ = dialect.translate_output(&schema);
        }
        let _ = toolcrib::schema::is_closed(&schema);
        // Dropping it would call itself ten thousand times.
        std::mem::forget(schema);
    }
}

#[test]
fn arguments_of_any_depth_are_left_alone() {
    let schema = json!({
        "type": "object", "properties": { "a": { "anyOf": [{ "$ref": "#" }, { "type": "null" }] },
        "b": { "type": "string" } }, "required": ["a"],
    });
    for dialect in ALL {
        let translated = translate(dialect, &schema);
        std::mem::forget(translated.back(deep(|inner| under("a", inner))));
        std::mem::forget(translated.forward(deep(|inner| under("a", inner))));
    }
}

#[test]
fn a_union_of_hundreds_of_large_branches_takes_no_time() {
    let branches: Vec<Value> = (0..400)
        .map(|branch| {
            let named: serde_json::Map<String, Value> = (0..40)
                .map(|name| (format!("p{branch}_{name}"), json!({ "type": "string" })))
                .collect();
            json!({ "type": "object", "properties": named })
        })
        .collect();
    let schema = json!({ "anyOf": branches });
    for dialect in ALL {
        translate(dialect, &schema);
    }
}

/// An object of one property. The macro would copy what is inside.
fn under(name: &str, inner: Value) -> Value {
    let mut whole = serde_json::Map::new();
    whole.insert(name.to_owned(), inner);
    Value::Object(whole)
}

/// Ten thousand of one thing inside another.
fn deep(wrap: fn(Value) -> Value) -> Value {
    let mut schema = json!({});
    for _ in 0..10_000 {
        schema = wrap(schema);
    }
    schema
}
