//! Input schemas: made from Rust types or at the call site, and judged closed or open.

mod build;
mod close;
mod judge;
pub(crate) mod walk;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

pub use build::{
    Field, SchemaBuilder, array, boolean, choice, enumeration, field, integer, json, number,
    object, optional_field, string,
};
pub use close::close;
pub use judge::is_closed;
use walk::{Schema, each_mut};

/// The name under which a root that holds itself is written, where the type has none.
const UNNAMED: &str = "Root";

/// The input schema of `T`: field docs are descriptions, a Rust enum is an `enum`, a type that
/// holds itself stands once under `$defs`, an open JSON value is the union of what JSON can hold,
/// and every object that says which properties it has is closed.
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
    generated::<T>(|_| true)
}

/// The schema of an answer of type `T`, which need not be an object.
pub(crate) fn of_answer<T: JsonSchema>() -> Value {
    generated::<T>(is_object)
}

fn is_object(root: &Schema) -> bool {
    let named = root.get("$ref").and_then(Value::as_str);
    let named = named.and_then(|name| name.strip_prefix("#/$defs/"));
    let named = named.and_then(|name| root.get("$defs")?.get(name));
    let kind = named.map_or(root.get("type"), |named| named.get("type"));
    kind.is_some_and(|kind| kind == "object")
}

fn generated<T: JsonSchema>(takes_object: fn(&Schema) -> bool) -> Value {
    let mut generator: SchemaGenerator = SchemaSettings::draft2020_12()
        .with(|settings| settings.meta_schema = None)
        .into_generator();
    let mut schema = generator.root_schema_for::<T>().to_value();
    if let Some(root) = schema.as_object_mut() {
        let title = root.shift_remove("title");
        root.shift_remove("$schema");
        let name = title.as_ref().and_then(Value::as_str).unwrap_or(UNNAMED);
        move_to_defs(root, name);
        if takes_object(root) {
            as_object(root);
        }
    }
    tidy(&mut schema);
    close(&mut schema);
    schema
}

/// Says that the root is an object, which is what arguments are.
fn as_object(root: &mut Schema) {
    let says_more = ["$ref", "anyOf", "oneOf", "allOf"]
        .iter()
        .any(|keyword| root.contains_key(*keyword));
    let is_typed = root.contains_key("type");
    let mut whole = Map::new();
    whole.insert("type".into(), "object".into());
    whole.append(root);
    if !says_more {
        whole.entry("properties").or_insert_with(|| json!({}));
        if !is_typed {
            // The type is an open JSON value, so any argument will do.
            whole.insert("additionalProperties".into(), Value::Bool(true));
        }
    }
    *root = whole;
}

/// Moves a root that refers to itself under `$defs`, where a type that holds itself belongs.
fn move_to_defs(root: &mut Schema, name: &str) {
    let mut body = Value::Object(std::mem::take(root));
    let reference = json!(format!("#/$defs/{name}"));
    let mut holds_itself = false;
    each_mut(&mut body, &mut |object| {
        if object.get("$ref").is_some_and(|to| to == "#") {
            object.insert("$ref".into(), reference.clone());
            holds_itself = true;
        }
    });
    let Value::Object(mut body) = body else {
        return;
    };
    if !holds_itself {
        *root = body;
        return;
    }
    let mut defs = Map::new();
    let others = body.shift_remove("$defs");
    defs.insert(name.to_owned(), Value::Object(body));
    if let Some(Value::Object(others)) = others {
        defs.extend(others);
    }
    root.insert("$ref".into(), reference);
    root.insert("$defs".into(), Value::Object(defs));
}

/// Drops what language models do not need, number formats such as `uint32`, and spells out what
/// an open JSON value can be.
fn tidy(schema: &mut Value) {
    each_mut(schema, &mut |object| {
        let is_number_format = object
            .get("format")
            .and_then(Value::as_str)
            .is_some_and(|format| {
                format.starts_with("uint") || format.starts_with("int") || format == "double"
            });
        if is_number_format {
            object.shift_remove("format");
        }
        spell_out(object);
        null_is_absent(object);
    });
}

/// Says of each `Option` field that null means what absence means, as it does to serde. Without
/// that a provider's strict mode, which knows no absence, could not be used.
fn null_is_absent(object: &mut Schema) {
    let required = object.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| {
        required
            .as_array()
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    let Some(Value::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    for (name, property) in properties.iter_mut() {
        if let Value::Object(property) = property
            && !is_required(name)
            && takes_null(property)
            && !property.contains_key("default")
        {
            property.insert("default".into(), Value::Null);
        }
    }
}

fn takes_null(property: &Schema) -> bool {
    let is_null = |kind: &Value| kind == "null";
    match (property.get("type"), property.get("anyOf")) {
        // A value that may be anything is not an absent one for being null.
        (Some(kinds), _) if *kinds == build::any_type() => false,
        (Some(Value::Array(kinds)), _) => kinds.iter().any(is_null),
        (None, Some(Value::Array(branches))) => branches
            .iter()
            .any(|branch| branch.get("type").is_some_and(is_null)),
        _ => false,
    }
}

/// Replaces schemas that take everything by the union of what JSON can hold. A free-form map
/// keeps its `additionalProperties: true`.
fn spell_out(object: &mut Schema) {
    for (keyword, inner) in object.iter_mut() {
        match (keyword.as_str(), inner) {
            ("properties" | "$defs", Value::Object(map)) => {
                map.values_mut().for_each(spell_out_one);
            }
            ("items", one) => spell_out_one(one),
            ("prefixItems" | "anyOf" | "oneOf", Value::Array(list)) => {
                list.iter_mut().for_each(spell_out_one);
            }
            _ => {}
        }
    }
}

fn spell_out_one(schema: &mut Value) {
    if *schema == true {
        *schema = Value::Object(Map::new());
    }
    if let Value::Object(object) = schema
        && object.keys().all(|keyword| judge::is_annotation(keyword))
    {
        object.insert("type".into(), build::any_type());
    }
}
