//! The widgets: one schema, which the web app draws by and the input is checked against.

use std::sync::LazyLock;

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use toolcrib::read::Reader;

use super::ShowInput;

/// The widgets with their props, as the web app has them.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../../web/src/widgets/schema.json"))
        .unwrap_or_default()
});

static READER: LazyLock<Option<Reader>> = LazyLock::new(|| Reader::new(&SCHEMA).ok());

/// The schema that describes the props of a widget.
pub(super) fn definition(name: &str) -> Option<&'static Value> {
    SCHEMA.get("$defs")?.get(name)
}

/// Names of the widgets.
pub(super) fn known() -> impl Iterator<Item = &'static str> {
    let names = SCHEMA.pointer("/properties/widget/enum");
    let names = names.and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// Checks widget, title and props; the text tells every problem.
pub(super) fn check(input: &ShowInput) -> Result<(), String> {
    let mut shown = Map::new();
    shown.insert("widget".into(), input.widget.clone().into());
    if let Some(title) = &input.title {
        shown.insert("title".into(), title.clone().into());
    }
    shown.insert("props".into(), Value::Object(input.props.clone()));
    match READER.as_ref() {
        Some(reader) => reader
            .check(&shown.into())
            .map_err(|unreadable| unreadable.to_string()),
        None => Err("The widgets can't be read.".to_owned()),
    }
}

/// The schema of `widget`.
pub(super) fn names(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = known().collect();
    schema(json!({"type": "string", "enum": names}))
}

/// The schema of `props`: one of the widgets' own, each whole, without references. The last branch
/// takes any object: only the check by widget knows which of the others was meant, and so what is
/// wrong.
pub(super) fn props(_: &mut SchemaGenerator) -> Schema {
    let mut each: Vec<Value> = known()
        .filter_map(|name| {
            let mut props = inlined(definition(name)?, 8);
            let fields = props.as_object_mut()?;
            let words = fields.get("description").and_then(Value::as_str);
            let words = format!("{name}: {}", words.unwrap_or_default());
            fields.insert("description".into(), words.into());
            Some(props)
        })
        .collect();
    each.push(json!({"type": "object"}));
    schema(json!({"anyOf": each}))
}

fn schema(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

/// A schema with its references replaced by what they refer to. The file refers to itself nowhere
/// in a circle; the depth bounds a mistake.
fn inlined(schema: &Value, depth: usize) -> Value {
    match schema {
        Value::Object(fields) => {
            let referred = fields
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|to| to.strip_prefix("#/$defs/"))
                .and_then(definition);
            let mut whole = match referred {
                Some(referred) if depth > 0 => inlined(referred, depth - 1),
                _ => json!({}),
            };
            if let Some(whole) = whole.as_object_mut() {
                for (key, value) in fields.iter().filter(|(key, _)| *key != "$ref") {
                    whole.insert(key.clone(), inlined(value, depth));
                }
            }
            whole
        }
        Value::Array(items) => items.iter().map(|item| inlined(item, depth)).collect(),
        other => other.clone(),
    }
}
