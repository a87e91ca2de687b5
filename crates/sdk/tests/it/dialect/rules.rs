//! One keyword at a time: what each provider is sent for it.

use serde_json::{Value, json};
use toolcrib::dialect::Dialect::{self, Anthropic, Compatible, Gemini, OpenAi};

use super::{property, translate};

#[track_caller]
fn sent(schema: &Value, expected: &[(Dialect, Value)]) {
    for (dialect, expected) in expected {
        assert_eq!(property(*dialect, schema), *expected, "{dialect:?}");
    }
}

#[test]
fn limits_of_strings_are_kept_or_said() {
    let schema = json!({ "type": "string", "minLength": 3, "maxLength": 1, "description": "Who" });
    let said = json!({
        "type": "string", "description": "Who. At least 3 characters. At most 1 character.",
    });
    sent(
        &schema,
        &[
            (OpenAi, said.clone()),
            (Anthropic, said.clone()),
            (Gemini, said),
            (Compatible, schema.clone()),
        ],
    );
}

#[test]
fn formats_are_kept_where_they_are_sampled() {
    let date = json!({ "type": "string", "format": "date" });
    sent(
        &date,
        &[
            (OpenAi, date.clone()),
            (Anthropic, date.clone()),
            (Gemini, date.clone()),
        ],
    );
    let uri = json!({ "type": "string", "format": "uri" });
    let said = json!({ "type": "string", "description": "Format: uri." });
    sent(
        &uri,
        &[
            (OpenAi, said),
            (Anthropic, uri.clone()),
            (Compatible, uri.clone()),
        ],
    );
}

#[test]
fn patterns_are_kept_where_a_grammar_can_be_made_of_them() {
    let simple = json!({ "type": "string", "pattern": "^[a-z]+(?:-[0-9]{2})?$" });
    let ahead = json!({ "type": "string", "pattern": "^(?=a)" });
    let word = json!({ "type": "string", "pattern": "\\bx" });
    let told = |pattern: &str| json!({ "type": "string", "description": format!("Matches the pattern `{pattern}`.") });
    sent(
        &simple,
        &[
            (OpenAi, simple.clone()),
            (Anthropic, simple.clone()),
            (Gemini, told("^[a-z]+(?:-[0-9]{2})?$")),
        ],
    );
    sent(
        &ahead,
        &[(OpenAi, told("^(?=a)")), (Anthropic, told("^(?=a)"))],
    );
    sent(&word, &[(OpenAi, word.clone()), (Anthropic, told("\\bx"))]);
}

#[test]
fn ranges_of_numbers_are_kept_or_said() {
    let schema = json!({ "type": "integer", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2 });
    let all = "At least 1. Less than 9. A multiple of 2.";
    sent(
        &schema,
        &[
            (OpenAi, schema.clone()),
            (Anthropic, json!({ "type": "integer", "description": all })),
            (
                Gemini,
                json!({
                    "type": "integer", "minimum": 1, "description": "Less than 9. A multiple of 2.",
                }),
            ),
            (Compatible, schema.clone()),
        ],
    );
}

#[test]
fn lengths_of_lists_are_kept_or_said() {
    let items = json!({ "type": "boolean" });
    let schema = json!({
        "type": "array", "items": items, "minItems": 2, "maxItems": 3, "uniqueItems": true,
    });
    sent(
        &schema,
        &[
            (
                OpenAi,
                json!({
                    "type": "array", "description": "No item twice.", "minItems": 2, "maxItems": 3,
                    "items": items,
                }),
            ),
            (
                Anthropic,
                json!({
                    "type": "array", "items": items,
                    "description": "At least 2 items. At most 3 items. No item twice.",
                }),
            ),
            (
                Gemini,
                json!({
                    "type": "array", "items": items, "minItems": 2, "maxItems": 3,
                    "description": "No item twice.",
                }),
            ),
            (Compatible, schema.clone()),
        ],
    );
    let one = json!({ "type": "array", "items": items, "minItems": 1 });
    sent(&one, &[(Anthropic, one.clone())]);
}

#[test]
fn listed_values_are_listed_the_way_each_takes_them() {
    let only = json!({ "const": "x" });
    sent(
        &only,
        &[
            (OpenAi, json!({ "type": "string", "const": "x" })),
            (Anthropic, json!({ "type": "string", "const": "x" })),
            (Gemini, json!({ "enum": ["x"] })),
            (Compatible, only.clone()),
        ],
    );
    let mixed = json!({ "enum": ["x", 1, null] });
    sent(
        &mixed,
        &[
            (
                OpenAi,
                json!({ "type": ["string", "integer", "null"], "enum": ["x", 1, null] }),
            ),
            (
                Gemini,
                json!({ "anyOf": [{ "enum": ["x", 1] }, { "type": "null" }] }),
            ),
        ],
    );
    let flag = json!({ "const": true });
    sent(
        &flag,
        &[(
            Gemini,
            json!({ "type": "boolean", "description": "Always true." }),
        )],
    );
    let objects = json!({ "enum": [{ "a": 1 }] });
    assert!(!translate(OpenAi, &object(&objects)).is_strict());
    assert!(!translate(Anthropic, &object(&objects)).is_strict());
}

#[test]
fn defaults_and_examples_are_said_where_they_are_not_taken() {
    let schema = json!({ "type": "integer", "default": 5, "examples": [7], "title": "Days" });
    let told = "Default: 5. Examples: [7].";
    let said = json!({ "type": "integer", "title": "Days", "description": told });
    sent(
        &schema,
        &[
            (OpenAi, said.clone()),
            (Gemini, said),
            (
                Anthropic,
                json!({
                    "type": "integer", "title": "Days", "description": "Examples: [7].", "default": 5,
                }),
            ),
            (Compatible, schema.clone()),
        ],
    );
}

#[test]
fn one_of_becomes_any_of_where_it_is_sampled_strictly() {
    let schema = json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] });
    let any = json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] });
    sent(
        &schema,
        &[
            (OpenAi, any.clone()),
            (Anthropic, any),
            (Gemini, schema.clone()),
            (Compatible, schema.clone()),
        ],
    );
}

#[test]
fn a_union_beside_properties_becomes_whole_objects() {
    let schema = json!({
        "type": "object",
        "properties": { "p": { "type": "string" }, "q": { "type": "string" } },
        "anyOf": [{ "required": ["p"] }, { "required": ["q"] }],
    });
    let branch = |name: &str| {
        json!({
            "type": "object",
            "properties": { "p": { "type": "string" }, "q": { "type": "string" } },
            "required": [name],
            "additionalProperties": false,
        })
    };
    sent(
        &schema,
        &[(Anthropic, json!({ "anyOf": [branch("p"), branch("q")] }))],
    );
    let translated = translate(OpenAi, &object(&schema));
    assert!(translated.is_strict());
    let written = json!({ "a": { "p": null, "q": "x" } });
    assert_eq!(translated.back(written), json!({ "a": { "q": "x" } }));
}

#[test]
fn all_of_is_joined_where_it_is_not_taken() {
    let schema = json!({ "allOf": [
        { "type": "object", "properties": { "p": { "type": "string" } }, "required": ["p"] },
        { "type": "object", "properties": { "q": { "type": "null" } }, "required": ["q"] },
    ] });
    let joined = json!({
        "type": "object",
        "properties": { "p": { "type": "string" }, "q": { "type": "null" } },
        "required": ["p", "q"],
        "additionalProperties": false,
    });
    sent(
        &schema,
        &[
            (OpenAi, joined.clone()),
            (Anthropic, joined),
            (Compatible, schema.clone()),
        ],
    );
}

#[test]
fn an_optional_property_is_required_and_nullable_for_openai() {
    let cases = [
        (
            json!({ "type": "string" }),
            json!({ "type": ["string", "null"] }),
        ),
        (
            json!({ "type": "string", "enum": ["x"] }),
            json!({ "type": ["string", "null"], "enum": ["x", null] }),
        ),
        (
            json!({ "const": "x", "description": "D" }),
            json!({ "type": ["string", "null"], "description": "D", "enum": ["x", null] }),
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "boolean" }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "boolean" }, { "type": "null" }] }),
        ),
        (
            json!({ "type": "array", "items": { "type": "string" }, "description": "D" }),
            json!({ "description": "D", "anyOf": [
                { "type": "array", "items": { "type": "string" } }, { "type": "null" },
            ] }),
        ),
    ];
    for (schema, expected) in cases {
        let whole = json!({ "type": "object", "properties": { "a": schema } });
        let translated = translate(OpenAi, &whole);
        assert!(translated.is_strict());
        assert_eq!(translated.schema()["properties"]["a"], expected);
        assert_eq!(translated.schema()["required"], json!(["a"]));
        assert_eq!(translated.forward(json!({})), json!({ "a": null }));
        assert_eq!(translated.back(json!({ "a": null })), json!({}));
        let anthropic = translate(Anthropic, &whole);
        assert!(anthropic.is_strict() && anthropic.is_identity());
        assert_eq!(anthropic.schema()["required"], json!([]));
    }
}

#[test]
fn null_that_could_mean_two_things_is_not_sampled_strictly() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": ["string", "null"] } } });
    let translated = translate(OpenAi, &schema);
    assert!(!translated.is_strict());
    assert_eq!(
        translated.schema()["additionalProperties"],
        false,
        "but it is closed"
    );
    assert!(
        translate(Anthropic, &schema).is_strict(),
        "absent stays absent there"
    );
    let required = json!({
        "type": "object",
        "properties": { "a": { "type": ["string", "null"] } },
        "required": ["a"],
    });
    let translated = translate(OpenAi, &required);
    assert!(translated.is_strict());
    assert_eq!(translated.back(json!({ "a": null })), json!({ "a": null }));
    let mut text = object(&json!({ "type": "string" }));
    text["properties"]["b"] = json!({ "type": "string" });
    let text = translate(OpenAi, &text);
    let wrong = json!({ "a": null });
    assert_eq!(
        text.back(wrong.clone()),
        wrong,
        "a null that is wrong is not made good"
    );
    let same = json!({
        "type": "object",
        "properties": { "a": { "type": ["string", "null"], "default": null } },
    });
    let translated = translate(OpenAi, &same);
    assert!(
        translated.is_strict(),
        "the default says that both mean the same"
    );
    assert_eq!(translated.back(json!({ "a": null })), json!({ "a": null }));
}

#[test]
fn what_strict_modes_cannot_say_is_sent_open_and_whole() {
    let inexpressible = [
        json!({ "type": "object" }),
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        json!({ "type": "object", "properties": {}, "patternProperties": { "^x": {} } }),
        json!({ "type": "object", "properties": {}, "additionalProperties": true }),
        json!({ "description": "Anything" }),
        json!({ "type": "array", "items": {} }),
        json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": {} }),
        json!({ "type": "array", "items": { "type": "string" }, "contains": { "const": "x" } }),
        json!({ "type": "string", "not": { "const": "x" } }),
        json!({ "type": "string", "if": { "const": "x" }, "then": { "minLength": 1 } }),
    ];
    for schema in inexpressible {
        for dialect in [OpenAi, Anthropic] {
            let translated = translate(dialect, &object(&schema));
            assert!(!translated.is_strict(), "{schema}");
            assert_eq!(
                translated.schema()["properties"]["a"],
                schema,
                "as it was written"
            );
            assert!(translated.is_identity());
        }
    }
}

#[test]
fn what_is_too_large_is_not_sampled_strictly() {
    let named = |count: usize| -> serde_json::Map<String, Value> {
        (0..count)
            .map(|n| (format!("p{n}"), json!({ "type": "null" })))
            .collect()
    };
    let required = |count: usize| -> Vec<String> { (0..count).map(|n| format!("p{n}")).collect() };
    let wide = |count: usize| json!({ "type": "object", "properties": named(count), "required": required(count) });
    assert!(translate(OpenAi, &wide(5_000)).is_strict());
    assert!(!translate(OpenAi, &wide(5_001)).is_strict());
    let listed = |count: usize| {
        let values: Vec<usize> = (0..count).collect();
        object(&json!({ "type": "integer", "enum": values }))
    };
    assert!(translate(OpenAi, &listed(1_000)).is_strict());
    assert!(!translate(OpenAi, &listed(1_001)).is_strict());
    let long = |length: usize| object(&json!({ "enum": ["x".repeat(length)] }));
    assert!(translate(OpenAi, &long(119_999)).is_strict());
    assert!(!translate(OpenAi, &long(120_000)).is_strict());
    let deep = |levels: usize| {
        (1..levels).fold(object(&json!({ "type": "null" })), |inner, _| {
            object(&inner)
        })
    };
    assert!(translate(OpenAi, &deep(10)).is_strict());
    assert!(!translate(OpenAi, &deep(11)).is_strict());
    let optional = |count: usize| json!({ "type": "object", "properties": named(count) });
    assert!(translate(Anthropic, &optional(24)).is_strict());
    assert!(!translate(Anthropic, &optional(25)).is_strict());
    let union = json!({ "type": ["string", "integer"] });
    let unions = |count: usize| {
        let all: serde_json::Map<String, Value> = (0..count)
            .map(|n| (format!("p{n}"), union.clone()))
            .collect();
        json!({ "type": "object", "properties": all, "required": required(count) })
    };
    assert!(translate(Anthropic, &unions(16)).is_strict());
    assert!(!translate(Anthropic, &unions(17)).is_strict());
}

#[test]
fn properties_keep_their_order() {
    let schema = json!({ "type": "object", "properties": {
        "z": { "type": "string" }, "a": { "type": "string" }, "m": { "type": "string" },
    }, "required": ["m", "z"] });
    for dialect in super::ALL {
        let translated = translate(dialect, &schema);
        let names: Vec<&String> = translated.schema()["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect();
        assert_eq!(names, ["z", "a", "m"], "{dialect:?}");
    }
}

#[test]
fn a_branch_is_found_again_by_what_was_written() {
    let branch = |kind: &str, inner: Value| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": kind }, "x": inner },
            "required": ["kind"],
        })
    };
    let mut second = branch("two", json!({ "type": ["string", "null"] }));
    second["required"] = json!(["kind", "x"]);
    let union = json!({ "anyOf": [branch("one", json!({ "type": "string" })), second] });
    let translated = translate(OpenAi, &object(&union));
    assert!(translated.is_strict());
    let one = json!({ "a": { "kind": "one", "x": null } });
    assert_eq!(translated.back(one), json!({ "a": { "kind": "one" } }));
    let two = json!({ "a": { "kind": "two", "x": null } });
    assert_eq!(translated.back(two.clone()), two, "there null is a value");
}

#[test]
fn names_that_a_provider_refuses_are_sent_under_others() {
    let schema = json!({
        "type": "object",
        "properties": {
            "content-type": { "type": "string" },
            "content_type": { "type": "string" },
            "größe": { "type": "object", "properties": { "": { "type": "null" } } },
        },
        "required": ["content-type"],
    });
    let translated = translate(Gemini, &schema);
    let sent = translated.schema();
    let names: Vec<&String> = sent["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["content_type_2", "content_type", "gr__e"]);
    assert_eq!(sent["required"], json!(["content_type_2"]));
    let value = json!({ "content-type": "a", "content_type": "b", "größe": { "": null } });
    let written = json!({ "content_type_2": "a", "content_type": "b", "gr__e": { "_": null } });
    assert_eq!(translated.forward(value.clone()), written);
    assert_eq!(translated.back(written), value);
    assert!(translate(Compatible, &object(&json!({ "type": "string" }))).is_identity());
}

fn object(inner: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": inner }, "required": ["a"] })
}
