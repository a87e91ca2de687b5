//! Writes a schema for a provider's strict mode.

use serde_json::{Map, Value, json};

use super::keyword::{is_annotation, list, properties, required, say, types};
use super::rules::Rules;
use super::sheet::Sheet;
use super::words;
use crate::schema::walk::{Schema, each};

/// Whether null is added to what a schema takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Null {
    AsWritten,
    Added,
}

/// Writes a sheet in normal form; nothing where the two could not be told apart afterwards.
pub(super) fn write(sheet: &Sheet, rules: &Rules) -> Option<Value> {
    if rules.all_required && has_two_meanings(sheet) {
        return None;
    }
    let writer = Writer { sheet, rules };
    let mut root = writer.object(&sheet.root);
    writer.describe(&sheet.root, &mut root);
    let mut written = Sheet {
        root: front(root),
        defs: Map::new(),
    };
    for (name, body) in &sheet.defs {
        let body = writer.schema(body, Null::AsWritten);
        written.defs.insert(name.clone(), body);
    }
    Some(written.into_value())
}

/// Whether an optional property takes null, so that null could mean absent or null. A default of
/// null says that both mean the same.
fn has_two_meanings(sheet: &Sheet) -> bool {
    let mut found = false;
    let mut look = |object: &Schema| {
        let needed = required(object);
        for (name, schema) in properties(object).into_iter().flatten() {
            let Some(schema) = schema.as_object() else {
                continue;
            };
            let is_optional = !needed.contains(&name.as_str());
            if is_optional && sheet.takes_null(schema) && !defaults_to_null(schema) {
                found = true;
            }
        }
    };
    look(&sheet.root);
    for schema in properties(&sheet.root)
        .into_iter()
        .flat_map(Map::values)
        .chain(sheet.defs.values())
    {
        each(schema, &mut look);
    }
    found
}

fn defaults_to_null(schema: &Schema) -> bool {
    schema.get("default") == Some(&Value::Null)
}

struct Writer<'a> {
    sheet: &'a Sheet,
    rules: &'a Rules,
}

impl Writer<'_> {
    fn schema(&self, schema: &Value, null: Null) -> Value {
        let Some(schema) = schema.as_object() else {
            return json!({});
        };
        let mut written = if let Some(reference) = schema.get("$ref") {
            let only = Map::from_iter([("$ref".to_owned(), reference.clone())]);
            let is_described = schema.keys().any(|keyword| is_annotation(keyword));
            match null {
                Null::Added => union(vec![Value::Object(only), json!({ "type": "null" })]),
                // Nothing may stand beside a reference, so it goes one level down.
                Null::AsWritten if is_described => union(vec![Value::Object(only)]),
                Null::AsWritten => only,
            }
        } else if schema.contains_key("anyOf") {
            let mut branches: Vec<Value> = list(schema, "anyOf")
                .iter()
                .map(|branch| self.schema(branch, Null::AsWritten))
                .collect();
            if null == Null::Added {
                branches.push(json!({ "type": "null" }));
            }
            union(branches)
        } else {
            self.typed(schema, null)
        };
        self.describe(schema, &mut written);
        Value::Object(front(written))
    }

    fn typed(&self, schema: &Schema, null: Null) -> Schema {
        let body = match types(schema).as_slice() {
            ["object"] => self.object(schema),
            ["array"] => {
                let items = schema.get("items").unwrap_or(&Value::Null);
                let mut body = self.limits(schema);
                body.insert("items".into(), self.schema(items, Null::AsWritten));
                body
            }
            _ => return self.scalar(schema, null),
        };
        match null {
            Null::AsWritten => body,
            Null::Added => union(vec![Value::Object(body), json!({ "type": "null" })]),
        }
    }

    fn object(&self, schema: &Schema) -> Schema {
        let needed = required(schema);
        let mut named = Map::new();
        for (name, inner) in properties(schema).into_iter().flatten() {
            let is_optional = !needed.contains(&name.as_str());
            let takes_null = inner
                .as_object()
                .is_some_and(|inner| self.sheet.takes_null(inner));
            let adds_null = self.rules.all_required && is_optional && !takes_null;
            let null = if adds_null {
                Null::Added
            } else {
                Null::AsWritten
            };
            named.insert(name.clone(), self.schema(inner, null));
        }
        let needed: Vec<&str> = if self.rules.all_required {
            named.keys().map(String::as_str).collect()
        } else {
            needed
        };
        let mut body = self.limits(schema);
        let needed = Value::from(needed);
        body.insert("properties".into(), Value::Object(named));
        body.insert("required".into(), needed);
        body.insert("additionalProperties".into(), Value::Bool(false));
        body
    }

    fn scalar(&self, schema: &Schema, null: Null) -> Schema {
        let mut body = self.limits(schema);
        for keyword in ["enum", "const"] {
            if let Some(value) = schema.get(keyword) {
                body.insert(keyword.into(), value.clone());
            }
        }
        if null == Null::Added {
            let mut kinds = types(schema);
            kinds.push("null");
            body.insert("type".into(), Value::from(kinds));
            if let Some(only) = body.shift_remove("const") {
                body.insert("enum".into(), json!([only, null]));
            } else if let Some(Value::Array(values)) = body.get_mut("enum") {
                values.push(Value::Null);
            }
        }
        body
    }

    /// The type, and the limits that the provider takes.
    fn limits(&self, schema: &Schema) -> Schema {
        let mut kept = Map::new();
        for (keyword, value) in schema {
            let stays =
                keyword == "type" || (!is_annotation(keyword) && self.rules.takes(keyword, value));
            if stays {
                kept.insert(keyword.clone(), value.clone());
            }
        }
        kept
    }

    /// Describes what was written: in the author's words, and in words for what was left out.
    fn describe(&self, schema: &Schema, written: &mut Schema) {
        let mut told = Vec::new();
        for (keyword, value) in schema {
            let is_written = matches!(
                keyword.as_str(),
                "type" | "enum" | "const" | "properties" | "required" | "items" | "anyOf" | "$ref"
            );
            let is_told = is_annotation(keyword) && self.rules.takes(keyword, value);
            if keyword == "description" || is_told {
                written.insert(keyword.clone(), value.clone());
            } else if !is_written && !self.rules.takes(keyword, value) {
                told.extend(words::sentence(keyword, value));
            }
        }
        say(written, &told);
    }
}

fn union(branches: Vec<Value>) -> Schema {
    Map::from_iter([("anyOf".to_owned(), Value::Array(branches))])
}

/// The type and the description first, as people write them.
fn front(mut written: Schema) -> Schema {
    let mut ordered = Map::new();
    for keyword in ["type", "title", "description"] {
        if let Some(value) = written.shift_remove(keyword) {
            ordered.insert(keyword.into(), value);
        }
    }
    ordered.extend(written);
    ordered
}
