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
        if let Err(unreadable) = reader().read(&text) {
            prop_assert!(!unreadable.problems.is_empty());
        }
    }

    #[test]
    fn json_of_any_shape_is_read_or_told(depth in 1_usize..400) {
        let text = format!("{{\"model\": {}1{}}}", "[".repeat(depth), "]".repeat(depth));
        prop_assert!(reader().read(&text).is_err());
    }
}

fn told(schema: &serde_json::Value, text: &str) -> Vec<String> {
    let reader = Reader::new(schema).unwrap();
    let problems = reader.read(text).unwrap_err().problems;
    problems.iter().map(ToString::to_string).collect()
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Job {
    shapes: Vec<Shape>,
    size: Option<Size>,
    mood: Mood,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Size {
    width: u32,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mood {
    /// Well.
    Good,
    /// Not well.
    Bad,
}

#[test]
fn of_several_kinds_the_one_that_was_meant_is_explained() {
    let schema = toolcrib::schema::of::<Job>();
    let wrong = r#"{"shapes": [{"kind": "square", "side": "long"}], "mood": "good"}"#;
    assert_eq!(
        told(&schema, wrong),
        ["/shapes/0/side: expected number, got string \"long\""]
    );
    let unknown = r#"{"shapes": [{"kind": "oval", "side": 1}], "mood": "odd"}"#;
    let told = told(&schema, unknown);
    assert!(
        told.contains(&"/shapes/0/kind: \"oval\" is not one of [\"circle\",\"square\"]".to_owned()),
        "{told:?}"
    );
    assert!(
        told.contains(&"/mood: \"odd\" is not one of [\"good\",\"bad\"]".to_owned()),
        "{told:?}"
    );
}

#[test]
fn a_string_that_holds_json_is_unwrapped_where_it_may_also_be_absent() {
    let reader = Reader::new(&toolcrib::schema::of::<Job>()).unwrap();
    let text = r#"{"shapes": [], "mood": "bad", "size": "{\"width\": 3}"}"#;
    let read = reader.read(text).unwrap();
    assert_eq!(read.value["size"], json!({"width": 3}));
    assert_eq!(read.repaired, Some(Repair::DoubleEncoded));
    let or_text = json!({"type": "object", "properties": {
        "size": {"anyOf": [{"type": "object"}, {"type": "string", "maxLength": 3}]},
    }});
    let reader = Reader::new(&or_text).unwrap();
    assert!(reader.read(r#"{"size": "{\"width\": 3}"}"#).is_err());
}

#[test]
fn the_place_of_broken_json_is_shown_among_wide_letters() {
    let text = format!("{{\"model\": \"{}\", \"limit\": }}", "\u{1F600}".repeat(50));
    let told = problems(&text);
    assert!(told[0].contains("\"limit\": }`"), "{told:?}");
}

#[test]
fn odd_json_is_told_and_never_broken_over() {
    for text in [
        r#"{"model": "\ud800"}"#,
        "{\"model\": \"\u{0}\"}",
        r#"{"model": "x", "limit": 1e999}"#,
        r#"{"model": "x", "limit": 123456789012345678901234567890}"#,
    ] {
        assert!(!problems(text)[0].is_empty(), "{text}");
    }
    assert!(reader().read(r#"{"model": "a\u0000b"}"#).is_ok());
}
