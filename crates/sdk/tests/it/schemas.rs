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
    criteria: Option<Vec<Condition>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operator {
    Equals,
    Less,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Values {
    values: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[test]
fn a_type_that_holds_itself_stands_once_under_defs() {
    let schema = schema::of::<Condition>();
    let text = schema.to_string();
    assert!(
        text.contains("#/$defs/Condition") || text.contains("\"$ref\":\"#\""),
        "{schema}"
    );
    assert!(text.contains("The field to compare."));
    assert!(text.contains("\"equals\""), "enums become enum: {schema}");
}

#[test]
fn closed_or_open_is_decided_by_the_schema_alone() {
    let open = schema::of::<Values>();
    assert!(
        !schema::is_closed(&open),
        "a free-form map keeps it open: {open}"
    );
    assert_eq!(
        open["additionalProperties"],
        json!(false),
        "what lists its properties is closed all the same"
    );
    assert!(schema::is_closed(&schema::of::<Nothing>()));
    let nothing = schema::of::<Nothing>();
    assert_eq!(
        (&nothing["type"], &nothing["properties"]),
        (&json!("object"), &json!({}))
    );
}
