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
