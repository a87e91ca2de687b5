use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolcrib::schema;

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Condition {
    /// The field to compare.
    field: Option<String>,
    operator: Operator,
    value: Option<Value>,
    criteria: Option<Vec<Self>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operator {
    Equals,
    Less,
}

#[derive(Deserialize, JsonSchema)]
enum Direction {
    /// Smallest first.
    Up,
    /// Largest first.
    Down,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Filter {
    condition: Condition,
    direction: Direction,
    /// What to compare with.
    value: Value,
    list: Vec<Value>,
    count: u32,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Values {
    values: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Action {
    Open { path: String },
    Close,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Tagged {
    name: String,
    #[serde(flatten)]
    action: Action,
}

fn anything() -> Value {
    json!(["null", "boolean", "number", "string", "array", "object"])
}

fn condition() -> Value {
    json!({
        "type": "object",
        "properties": {
            "field": { "type": ["string", "null"], "description": "The field to compare.", "default": null },
            "operator": { "$ref": "#/$defs/Operator" },
            "value": { "type": anything() },
            "criteria": {
                "type": ["array", "null"],
                "items": { "$ref": "#/$defs/Condition" },
                "default": null,
            },
        },
        "required": ["operator"],
        "additionalProperties": false,
    })
}

fn is_valid(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

#[test]
fn a_type_that_holds_itself_stands_once_under_defs() {
    let operator = json!({ "type": "string", "enum": ["equals", "less"] });
    let expected = json!({
        "type": "object",
        "$ref": "#/$defs/Condition",
        "$defs": { "Condition": condition(), "Operator": operator },
    });
    assert_eq!(schema::of::<Condition>(), expected);
    let filter = schema::of::<Filter>();
    assert_eq!(
        filter["properties"]["condition"],
        json!({ "$ref": "#/$defs/Condition" })
    );
    assert_eq!(filter["$defs"]["Condition"], condition());
}

#[test]
fn an_enum_becomes_enum_and_keeps_what_its_values_mean() {
    let filter = schema::of::<Filter>();
    assert_eq!(
        filter["$defs"]["Operator"],
        json!({ "type": "string", "enum": ["equals", "less"] })
    );
    assert_eq!(
        filter["$defs"]["Direction"],
        json!({ "oneOf": [
            { "type": "string", "const": "Up", "description": "Smallest first." },
            { "type": "string", "const": "Down", "description": "Largest first." },
        ] })
    );
}

#[test]
fn an_open_value_becomes_the_union_of_what_json_can_hold() {
    let filter = schema::of::<Filter>();
    assert_eq!(
        filter["properties"]["value"],
        json!({ "description": "What to compare with.", "type": anything() })
    );
    assert_eq!(
        filter["properties"]["list"],
        json!({ "type": "array", "items": { "type": anything() } })
    );
    assert_eq!(
        filter["properties"]["count"],
        json!({ "type": "integer", "minimum": 0 })
    );
    let whole = schema::of::<Value>();
    assert_eq!(
        whole,
        json!({ "type": "object", "properties": {}, "additionalProperties": true })
    );
}

#[test]
fn closed_or_open_is_decided_by_the_schema_alone() {
    assert_eq!(
        schema::of::<Values>(),
        json!({
            "type": "object",
            "properties": { "values": { "type": "object", "additionalProperties": true } },
            "required": ["values"],
            "additionalProperties": false,
        }),
        "what lists its properties is closed also where a free-form map is inside"
    );
    assert!(!schema::is_closed(&schema::of::<Values>()));
    assert_eq!(
        schema::of::<Nothing>(),
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
    assert!(schema::is_closed(&schema::of::<Nothing>()));
    assert!(
        !schema::is_closed(&schema::of::<Condition>()),
        "it holds an open value"
    );
}

#[test]
fn a_union_is_closed_without_forbidding_what_its_branches_list() {
    let action = schema::of::<Action>();
    assert_eq!(action["type"], "object");
    assert_eq!(action.get("properties"), None);
    assert!(is_valid(&action, &json!({ "kind": "open", "path": "a" })));
    assert!(!is_valid(&action, &json!({ "kind": "close", "path": "a" })));
    assert!(schema::is_closed(&action));

    let tagged = schema::of::<Tagged>();
    assert!(is_valid(
        &tagged,
        &json!({ "name": "n", "kind": "open", "path": "a" })
    ));
    assert!(!is_valid(
        &tagged,
        &json!({ "name": "n", "kind": "open", "path": "a", "x": 1 })
    ));
}

#[test]
fn being_closed_is_judged_through_references_and_ends() {
    let refers = |body: Value| {
        json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/A" } },
            "$defs": { "A": body, "Unused": { "type": "object" } },
        })
    };
    let closed = [
        refers(json!({ "type": "object", "properties": { "again": { "$ref": "#/$defs/A" } } })),
        refers(json!({ "$ref": "#/$defs/A" })),
        refers(json!({ "type": "array", "items": { "type": "string" } })),
        json!({ "type": "object", "additionalProperties": false }),
    ];
    for schema in closed {
        assert!(schema::is_closed(&schema), "{schema}");
    }
    let open = [
        refers(json!({ "type": "object" })),
        refers(json!(true)),
        refers(json!({ "description": "Anything." })),
        refers(json!({ "type": "array" })),
        refers(json!({ "type": "array", "items": true })),
        refers(json!({ "$ref": "#/$defs/Missing" })),
        refers(json!({ "type": anything() })),
        json!({ "type": "object", "properties": { "a": true } }),
        json!({ "type": "object", "properties": {}, "additionalProperties": {} }),
        json!({ "type": "object", "properties": {}, "patternProperties": { "^x": false } }),
        json!(true),
    ];
    for schema in open {
        assert!(!schema::is_closed(&schema), "{schema}");
    }
}

#[test]
fn an_option_is_absent_or_null_and_stays_strict() {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Input {
        name: Option<String>,
        any: Option<serde_json::Value>,
    }
    let schema = schema::of::<Input>();
    assert_eq!(schema["properties"]["name"]["default"], json!(null));
    assert_eq!(schema["properties"]["any"].get("default"), None);
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Closed {
        name: Option<String>,
        nick: Option<Box<Self>>,
    }
    let sent = toolcrib::dialect::Dialect::OpenAi.translate(&schema::of::<Closed>());
    assert!(sent.is_strict(), "{}", sent.schema());
    let read = toolcrib::read::Reader::new(&schema::of::<Closed>()).unwrap();
    let back = sent.back(json!({"name": null, "nick": null}));
    assert!(read.check(&back).is_ok(), "null is read as absence is");
}
