//! Input schemas: made from Rust types, and judged closed or open.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// The input schema of `T`: field docs are descriptions, a type that holds itself stands once
/// under `$defs`, and every object that says which properties it has is closed.
///
/// ```
/// #[derive(schemars::JsonSchema)]
/// struct Input {
///     /// What to say back.
///     message: String,
/// }
/// let schema = toolcrib::schema::of::<Input>();
/// assert_eq!(schema["properties"]["message"]["description"], "What to say back.");
/// assert_eq!(schema["additionalProperties"], false);
/// ```
#[must_use]
pub fn of<T: JsonSchema>() -> Value {
    let mut generator: SchemaGenerator = SchemaSettings::draft2020_12()
        .with(|settings| settings.meta_schema = None)
        .into_generator();
    let mut schema = generator.root_schema_for::<T>().to_value();
    if let Some(root) = schema.as_object_mut() {
        root.remove("title");
        root.remove("$schema");
        if !root.contains_key("type") && !root.contains_key("$ref") {
            root.insert("type".into(), "object".into());
        }
        root.entry("properties")
            .or_insert_with(|| Value::Object(Map::new()));
    }
    close(&mut schema);
    tidy(&mut schema);
    schema
}

/// Forbids unknown properties in every object that lists its properties and says nothing else.
/// What is a free-form map stays open.
pub fn close(schema: &mut Value) {
    each_schema(schema, &mut |object| {
        if object.contains_key("properties") && !object.contains_key("additionalProperties") {
            object.insert("additionalProperties".into(), Value::Bool(false));
        }
    });
}

/// Whether every object in the schema says which properties it has.
#[must_use]
pub fn is_closed(schema: &Value) -> bool {
    let mut closed = true;
    each_schema(&mut schema.clone(), &mut |object| {
        let is_object = object
            .get("type")
            .is_some_and(|kind| names_type(kind, "object"));
        if is_object && object.get("additionalProperties") != Some(&Value::Bool(false)) {
            closed = false;
        }
        let says_nothing = !["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"]
            .iter()
            .any(|keyword| object.contains_key(*keyword));
        if says_nothing {
            closed = false;
        }
    });
    closed
}

/// Drops what language models do not need: number formats such as `uint32`.
fn tidy(schema: &mut Value) {
    each_schema(schema, &mut |object| {
        let is_number_format = object
            .get("format")
            .and_then(Value::as_str)
            .is_some_and(|format| {
                format.starts_with("uint") || format.starts_with("int") || format == "double"
            });
        if is_number_format {
            object.remove("format");
        }
    });
}

fn names_type(kind: &Value, wanted: &str) -> bool {
    match kind {
        Value::String(name) => name == wanted,
        Value::Array(names) => names.iter().any(|name| name == wanted),
        _ => false,
    }
}

/// Visits every schema object inside `schema`, itself first.
fn each_schema(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else {
        return;
    };
    visit(object);
    for (keyword, inner) in object.iter_mut() {
        match keyword.as_str() {
            "properties" | "$defs" | "definitions" | "patternProperties" => {
                if let Value::Object(map) = inner {
                    map.values_mut()
                        .for_each(|schema| each_schema(schema, visit));
                }
            }
            "items" | "additionalProperties" | "not" | "contains" | "propertyNames" => {
                each_schema(inner, visit);
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                if let Value::Array(list) = inner {
                    list.iter_mut()
                        .for_each(|schema| each_schema(schema, visit));
                }
            }
            _ => {}
        }
    }
}
