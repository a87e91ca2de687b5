//! The root, which is an object whatever the author wrote.

use serde_json::{Value, json};
use toolcrib::dialect::Dialect::{Anthropic, Compatible, OpenAi};

use super::{ALL, translate};

fn branch(kind: &str, more: &Value) -> Value {
    let mut named = json!({ "kind": { "type": "string", "const": kind } });
    named
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let all: Vec<&String> = named.as_object().unwrap().keys().collect();
    json!({ "type": "object", "required": all, "properties": named })
}

#[test]
fn a_union_becomes_one_object_that_tells_its_alternatives() {
    let union = json!([
        branch("move", &json!({ "to": { "type": "string" } })),
        branch(
            "wait",
            &json!({ "to": { "type": "integer" }, "unit": { "type": "string" } })
        ),
    ]);
    let expected = json!({
        "type": "object",
        "description": "One of these: (1) `kind` \"move\", `to`; (2) `kind` \"wait\", `to`, `unit`.",
        "properties": {
            "kind": { "type": "string", "enum": ["move", "wait"] },
            "to": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
            "unit": { "type": "string" },
        },
        "required": ["kind", "to"],
        "additionalProperties": false,
    });
    let schemas = [
        json!({ "oneOf": union }),
        json!({ "type": "object", "anyOf": union }),
        json!({ "$ref": "#/$defs/U", "$defs": { "U": { "anyOf": union } } }),
        json!({ "allOf": [{ "anyOf": union }] }),
    ];
    for schema in schemas {
        assert_eq!(*translate(Anthropic, &schema).schema(), expected);
        assert_eq!(*translate(Compatible, &schema).schema(), expected);
        let translated = translate(OpenAi, &schema);
        assert!(translated.is_strict());
        let written = json!({ "kind": "move", "to": "x", "unit": null });
        assert_eq!(
            translated.back(written),
            json!({ "kind": "move", "to": "x" })
        );
    }
}

#[test]
fn what_every_branch_shares_is_joined_with_what_stands_beside() {
    let schema = json!({
        "description": "Finds a person",
        "properties": { "id": { "type": "string" }, "name": { "type": "string" } },
        "anyOf": [{ "required": ["id"] }, { "required": ["name"], "description": "Slow." }],
    });
    let sent = translate(Anthropic, &schema).schema().clone();
    assert_eq!(
        sent["description"],
        "Finds a person. One of these: (1) `id`; (2) Slow: `name`."
    );
    assert_eq!(sent.get("required"), Some(&json!([])));
    assert_eq!(sent["properties"], schema["properties"]);
}

#[test]
fn a_sum_is_one_object() {
    let schema = json!({
        "$ref": "#/$defs/Base",
        "properties": { "b": { "type": "string" } },
        "unevaluatedProperties": false,
        "$defs": { "Base": {
            "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"],
        } },
    });
    let expected = json!({
        "type": "object",
        "properties": { "b": { "type": "string" }, "a": { "type": "string" } },
        "required": ["a"],
        "additionalProperties": false,
    });
    assert_eq!(*translate(Compatible, &schema).schema(), expected);
}

#[test]
fn a_closed_part_keeps_out_what_it_does_not_list() {
    let schema = json!({ "allOf": [
        { "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": false },
        { "properties": { "b": { "type": "string" } } },
    ] });
    let sent = translate(Compatible, &schema).schema().clone();
    assert_eq!(sent["properties"], json!({ "a": { "type": "string" } }));
    assert_eq!(sent["additionalProperties"], false);
}

#[test]
fn a_branch_that_takes_everything_keeps_the_root_open() {
    let schema = json!({ "anyOf": [
        { "type": "object", "properties": { "a": { "type": "string" } } },
        { "type": "object" },
        { "type": "null" },
    ] });
    for dialect in ALL {
        let translated = translate(dialect, &schema);
        assert!(!translated.is_strict());
        assert_eq!(translated.schema()["additionalProperties"], true);
    }
}

#[test]
fn a_root_that_is_no_object_takes_everything() {
    for schema in [
        json!({ "type": "array", "items": { "type": "string" } }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
        json!({ "type": "object" }),
        json!({}),
    ] {
        for dialect in ALL {
            let sent = translate(dialect, &schema).schema().clone();
            let expected =
                json!({ "type": "object", "properties": {}, "additionalProperties": true });
            assert_eq!(sent, expected, "{schema}");
        }
    }
}

#[test]
fn words_stand_for_what_no_root_may_say() {
    let schema = json!({
        "type": "object", "properties": { "a": { "type": "string" } },
        "not": { "required": ["b"] }, "const": { "a": "x" },
    });
    let sent = translate(Anthropic, &schema).schema().clone();
    assert_eq!(
        sent["description"],
        "Always {\"a\":\"x\"}. Not valid under {\"required\":[\"b\"]}."
    );
}

#[test]
fn an_answer_that_is_no_object_is_sent_inside_one() {
    let schemas = [
        json!({ "type": "array", "items": { "type": "string" } }),
        json!({ "anyOf": [branch("a", &json!({})), branch("b", &json!({}))] }),
        json!({ "type": "string", "enum": ["x"] }),
    ];
    let answers = [json!(["y"]), json!({ "kind": "b" }), json!("x")];
    for (schema, answer) in schemas.iter().zip(answers) {
        for dialect in ALL {
            let translated = dialect.translate_output(schema);
            super::invariants::check(dialect, &translated).unwrap();
            assert_eq!(translated.schema()["required"], json!(["value"]));
            let written = translated.forward(answer.clone());
            assert_eq!(written, json!({ "value": answer }));
            assert_eq!(translated.back(written), answer);
        }
    }
    let object = branch("a", &json!({}));
    assert_eq!(
        OpenAi.translate_output(&object).schema(),
        OpenAi.translate(&object).schema()
    );
}

#[test]
fn a_branch_that_takes_anything_is_not_held_to_what_another_says() {
    let named = json!({ "type": "object", "properties": { "late": { "type": "boolean" } } });
    let listed = json!({ "enum": [{ "late": 1 }, [2]] });
    let open = json!({ "type": "object" });
    for other in [listed, open] {
        let schema = json!({ "anyOf": [named, other] });
        let arguments = json!({ "late": 1 });
        for dialect in ALL {
            let translated = translate(dialect, &schema);
            let sent = jsonschema::validator_for(translated.schema()).unwrap();
            let written = translated.forward(arguments.clone());
            assert!(
                sent.is_valid(&written),
                "{dialect:?} {:#}",
                translated.schema()
            );
            assert_eq!(translated.back(written), arguments);
        }
    }
}
