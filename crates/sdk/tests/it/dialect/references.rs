//! References: found wherever they lead, and sent the way each provider takes them.

use serde_json::{Value, json};
use toolcrib::dialect::Dialect::{Anthropic, Compatible, Gemini, OpenAi};

use super::translate;

fn leaf() -> Value {
    json!({ "type": "string", "enum": ["x"] })
}

#[test]
fn definitions_are_found_wherever_they_stand() {
    let cases = [
        json!({ "properties": { "a": { "$ref": "#/definitions/My.Leaf" } },
            "definitions": { "My.Leaf": leaf() } }),
        json!({ "properties": { "a": { "$ref": "#/properties/b/items" },
            "b": { "type": "array", "items": leaf() } } }),
        json!({ "properties": { "a": { "$ref": "#leaf" } },
            "$defs": { "L": { "$anchor": "leaf", "type": "string", "enum": ["x"] } } }),
        json!({ "properties": { "a": { "$ref": "leaf.json" } },
            "$defs": { "L": { "$id": "leaf.json", "type": "string", "enum": ["x"] } } }),
        json!({ "$id": "https://example.com/root.json",
            "properties": { "a": { "$ref": "leaf.json#/$defs/In" } },
            "$defs": { "L": { "$id": "https://example.com/leaf.json", "$defs": { "In": leaf() } } } }),
        json!({ "properties": { "a": { "$ref": "#/$defs/a~1b%20c" } }, "$defs": { "a/b c": leaf() } }),
        json!({ "properties": { "a": { "$ref": "#/$defs/Outer" } }, "$defs": {
            "Outer": { "$id": "outer", "$ref": "#/$defs/Inner", "$defs": { "Inner": leaf() } } } }),
    ];
    for mut schema in cases {
        schema["type"] = json!("object");
        schema["required"] = json!(["a"]);
        for dialect in [OpenAi, Anthropic] {
            let translated = translate(dialect, &schema);
            assert!(translated.is_strict(), "{schema}");
            let sent = translated.schema();
            let to = sent["properties"]["a"]["$ref"].as_str().unwrap();
            let mut target = sent.pointer(to.trim_start_matches('#')).unwrap();
            while let Some(next) = target["$ref"].as_str() {
                target = sent.pointer(next.trim_start_matches('#')).unwrap();
            }
            assert_eq!(*target, leaf());
        }
        for dialect in [Compatible, Gemini] {
            let translated = translate(dialect, &schema);
            assert_eq!(
                translated.schema()["properties"]["a"],
                leaf(),
                "inlined: {schema}"
            );
            assert_eq!(translated.schema().get("$defs"), None);
        }
    }
}

#[test]
fn a_reference_that_leads_nowhere_is_open() {
    for to in [
        "#/$defs/Missing",
        "https://example.com/x.json",
        "file:///etc/passwd",
        "#x",
        "%",
    ] {
        let schema = json!({ "type": "object", "properties": { "a": { "$ref": to } } });
        for dialect in super::ALL {
            let translated = translate(dialect, &schema);
            assert!(!translated.is_strict());
            assert_eq!(
                translated.schema()["properties"]["a"],
                json!({}),
                "{dialect:?} {to}"
            );
        }
    }
}

fn tree() -> Value {
    json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/$defs/Tree" } },
        "required": ["tree"],
        "$defs": { "Tree": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "left": { "$ref": "#/$defs/Tree", "description": "Smaller ones" },
                "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
            },
            "required": ["name", "children"],
        } },
    })
}

#[test]
fn recursion_is_strict_for_openai_and_open_for_anthropic() {
    let translated = translate(OpenAi, &tree());
    assert!(translated.is_strict());
    let left = &translated.schema()["$defs"]["Tree"]["properties"]["left"];
    let expected = json!({
        "description": "Smaller ones",
        "anyOf": [{ "$ref": "#/$defs/Tree" }, { "type": "null" }],
    });
    assert_eq!(*left, expected);
    let value = json!({ "tree": {
        "name": "a", "children": [{ "name": "b", "children": [] }],
        "left": { "name": "c", "children": [] },
    } });
    let written = translated.forward(value.clone());
    assert_eq!(written["tree"]["children"][0]["left"], Value::Null);
    assert_eq!(translated.back(written), value);

    let translated = translate(Anthropic, &tree());
    assert!(!translated.is_strict());
    assert_eq!(
        translated.schema()["$defs"]["Tree"]["additionalProperties"],
        false
    );
    assert!(translated.is_identity());
}

#[test]
fn gemini_may_leave_out_what_leads_into_a_cycle() {
    let translated = translate(Gemini, &tree());
    let tree = &translated.schema()["$defs"]["Tree"];
    assert_eq!(tree["required"], json!(["name"]));
    assert_eq!(tree["properties"]["children"]["description"], "Required.");
    let left = json!({ "anyOf": [{ "$ref": "#/$defs/Tree" }], "description": "Smaller ones" });
    assert_eq!(tree["properties"]["left"], left);
}

#[test]
fn a_root_that_refers_to_itself_is_told_once_more() {
    let schema = json!({
        "type": "object",
        "properties": { "next": { "$ref": "#" }, "n": { "type": "integer" } },
    });
    let translated = translate(OpenAi, &schema);
    assert!(translated.is_strict());
    assert_eq!(
        translated.schema()["$defs"]["Root"]["required"],
        json!(["next", "n"])
    );
    let value = json!({ "next": { "next": {}, "n": 1 } });
    assert_eq!(translated.back(translated.forward(value.clone())), value);
}

#[test]
fn definitions_that_stand_for_themselves_end() {
    let bodies = [
        json!({ "$ref": "#/$defs/A" }),
        json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/A" }] }),
        json!({ "allOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/A" }] }),
        json!({ "type": "object", "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/A" }] }),
        json!({ "type": "array", "items": { "$ref": "#/$defs/A" } }),
        json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/A" } }),
    ];
    for body in bodies {
        let inside = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/A" } },
            "$defs": { "A": body } });
        let at_root = json!({ "$ref": "#/$defs/A", "$defs": { "A": body } });
        for schema in [inside, at_root] {
            for dialect in super::ALL {
                let translated = translate(dialect, &schema);
                let value = json!({ "a": [[], { "a": [[]] }] });
                assert_eq!(translated.back(value.clone()), value);
            }
        }
    }
}

#[test]
fn what_would_grow_without_bound_keeps_its_references() {
    let mut defs = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/L{}", level + 1) });
        let pair = json!({
            "type": "object", "properties": { "l": next, "r": next }, "required": ["l", "r"],
        });
        defs.insert(format!("L{level}"), pair);
    }
    defs.insert("L40".into(), json!({ "type": "string" }));
    let schema = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/L0" } },
        "$defs": defs });
    for dialect in super::ALL {
        let translated = translate(dialect, &schema);
        let length = translated.schema().to_string().len();
        assert!(length < 20_000, "{dialect:?}: {length} characters");
    }
    assert!(
        translate(OpenAi, &schema).is_strict(),
        "references cost nothing there"
    );
}

#[test]
fn a_long_chain_of_references_ends() {
    let mut defs = serde_json::Map::new();
    for number in 0..10_000 {
        defs.insert(
            format!("D{number}"),
            json!({ "$ref": format!("#/$defs/D{}", number + 1) }),
        );
    }
    defs.insert("D10000".into(), json!({ "type": "string" }));
    let schema = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/D0" } },
        "$defs": defs });
    for dialect in super::ALL {
        translate(dialect, &schema);
    }
}

#[test]
fn an_old_draft_is_read_as_it_was_meant() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "a": { "$ref": "#/definitions/L", "minLength": 9, "description": "Kept" },
            "pair": { "type": "array", "items": [{ "type": "string" }, leaf()] },
            "n": { "type": "integer", "minimum": 0, "exclusiveMinimum": true },
        },
        "dependencies": { "a": ["n"] },
        "definitions": { "L": leaf() },
    });
    let sent = translate(Compatible, &schema).schema().clone();
    let named = &sent["properties"];
    assert_eq!(
        named["a"],
        json!({ "type": "string", "enum": ["x"], "description": "Kept" })
    );
    assert_eq!(
        named["pair"],
        json!({ "type": "array", "prefixItems": [{ "type": "string" }, leaf()], "items": {} })
    );
    assert_eq!(
        named["n"],
        json!({ "type": "integer", "exclusiveMinimum": 0 })
    );
    assert_eq!(sent["dependentRequired"], json!({ "a": ["n"] }));
    assert_eq!(sent.get("$schema"), None);
}
