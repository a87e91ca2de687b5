use proptest::prelude::*;
use serde_json::json;
use toolcrib::read::{Reader, Repair, parse};

fn reader() -> Reader {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["model"],
        "properties": {
            "model": {"type": "string"}, "limit": {"type": "integer", "maximum": 100},
            "kind": {"enum": ["a", "b"]}, "id": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "order": {"type": "array", "items": {"type": "object", "additionalProperties": false,
                "properties": {"field": {"type": "string"}}}},
        },
    });
    Reader::new(&schema).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    reader()
        .read(text)
        .unwrap_err()
        .problems
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn every_problem_is_told_at_once_with_its_place() {
    let told = problems(
        r#"{"modell": "x", "limit": "many", "kind": "c", "id": [], "order": [{"feild": 1}]}"#,
    );
    let all = told.join("\n");
    for expected in [
        "unknown parameter `modell`; there are: model",
        "`model` is required",
        "/limit: expected integer, got string \"many\"",
        "/kind: \"c\" is not one of [\"a\",\"b\"]",
        "/id: expected integer or string, got array",
        "/order/0: unknown parameter `feild`; there are: field",
    ] {
        assert!(all.contains(expected), "{expected} is missing in\n{all}");
    }
}

#[test]
fn nothing_is_coerced_except_what_is_counted() {
    assert_eq!(parse("").unwrap().repaired, Some(Repair::EmptyText));
    assert_eq!(parse(" \n").unwrap().repaired, Some(Repair::EmptyText));
    assert_eq!(parse("null").unwrap().repaired, Some(Repair::EmptyText));
    assert_eq!(
        parse(r#""{\"a\": 1}""#).unwrap().repaired,
        Some(Repair::DoubleEncoded)
    );
    assert_eq!(parse(r#"{"a": 1}"#).unwrap().repaired, None);
    for text in ["[]", "1", "\"text\"", r#""[1]""#, "true"] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert!(problems(r#"{"model": 1}"#)[0].contains("expected string, got number 1"));
}

#[test]
fn broken_json_is_told_with_its_position() {
    let told = problems("{\"model\": \"order\",\n \"limit\": }");
    assert!(told[0].contains("at line 2 column"), "{told:?}");
}

#[test]
fn the_beginning_of_broken_text_is_shown_and_no_more() {
    let told = problems(&format!("{{\"model\": {}", "x".repeat(100_000)));
    assert!(
        told[0].contains("the text begins `{\"model\": xxx"),
        "{told:?}"
    );
    assert!(told[0].len() < 500, "{}", told[0].len());
}

#[test]
fn a_string_that_holds_json_is_unwrapped_only_where_the_schema_wants_that() {
    let read = reader()
        .read(r#"{"model": "{\"a\": 1}", "order": "[{\"field\": \"name\"}]"}"#)
        .unwrap();
    assert_eq!(read.repaired, Some(Repair::DoubleEncoded));
    assert_eq!(
        read.value["model"],
        json!("{\"a\": 1}"),
        "a text stays a text"
    );
    assert_eq!(read.value["order"], json!([{"field": "name"}]));
    let told = problems(r#"{"model": "x", "order": "[{\"feild\": 1}]"}"#);
    assert!(
        told[0].contains("/order/0: unknown parameter `feild`"),
        "{told:?}"
    );
    let told = problems(r#"{"model": "x", "order": "name", "limit": "5"}"#);
    assert_eq!(told.len(), 2, "nothing else is guessed: {told:?}");
}

#[test]
fn what_is_wrapped_twice_stays_wrapped() {
    let once = json!({"a": 1}).to_string();
    let twice = json!(json!(once).to_string()).to_string();
    assert!(parse(&twice).is_err());
}

#[test]
fn the_nearest_parameter_is_named_first() {
    let told = problems(r#"{"model": "x", "limitt": 1}"#);
    assert!(
        told[0].contains("unknown parameter `limitt`; there are: limit, "),
        "{told:?}"
    );
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,200}") {
        let _ = reader().read(&text);
    }

    #[test]
    fn json_of_any_shape_is_read_or_told(depth in 1_usize..400) {
        let text = format!("{{\"model\": {}1{}}}", "[".repeat(depth), "]".repeat(depth));
        prop_assert!(reader().read(&text).is_err());
    }
}
