//! The root as one object, which is what every provider wants for a tool's arguments.

use serde_json::{Map, Value};

use super::either::one_object;
use super::join::{Conflict, both};
use super::keyword::{list, properties, required, say, types};
use super::sheet::Sheet;
use super::words::{self, brief};
use crate::schema::walk::{DEEPEST, Schema};

/// More alternatives than this are not told one by one.
const MOST_TOLD: usize = 40;

/// Keywords that no provider takes at the root, even where it samples freely.
const NOT_AT_ROOT: [&str; 3] = ["enum", "const", "not"];

/// Makes the root an object: references followed, unions flattened and told in words.
/// A root that can be no object becomes one that takes everything.
pub(super) fn flatten(sheet: &mut Sheet) {
    let mut flattener = Flattener { sheet, left: 2_000 };
    let root = flattener.object(&flattener.sheet.root, 0);
    let mut root = root.unwrap_or_default();
    let dropped = words::pull(&mut root, &NOT_AT_ROOT);
    say(&mut root, &dropped);
    sheet.root = in_order(root);
}

/// Whether the root is an object and nothing but, in whatever way it is said.
pub(super) fn is_object(sheet: &Sheet) -> bool {
    let mut schema = &sheet.root;
    for _ in 0..DEEPEST {
        let is_union = schema.contains_key("anyOf") || schema.contains_key("oneOf");
        let kinds = types(schema);
        if kinds == ["object"] || (kinds.is_empty() && schema.contains_key("properties")) {
            return !is_union;
        }
        if !kinds.is_empty() || is_union {
            return false;
        }
        let inner = match list(schema, "allOf") {
            [one] => one.as_object(),
            _ => sheet.referred(schema),
        };
        match inner {
            Some(inner) => schema = inner,
            None => return false,
        }
    }
    false
}

/// The keywords of a root in the order that reads best.
fn in_order(mut root: Schema) -> Schema {
    let mut ordered = Map::new();
    ordered.insert("type".into(), Value::from("object"));
    for keyword in ["title", "description"] {
        if let Some(value) = root.shift_remove(keyword) {
            ordered.insert(keyword.into(), value);
        }
    }
    let listed = root.shift_remove("properties");
    let says_nothing = listed.is_none() && !root.contains_key("additionalProperties");
    let listed = listed.unwrap_or_else(|| Value::Object(Map::new()));
    ordered.insert("properties".into(), listed);
    if says_nothing {
        // Some providers want the properties listed; without this they would be none.
        ordered.insert("additionalProperties".into(), Value::Bool(true));
    }
    root.shift_remove("type");
    ordered.extend(root);
    ordered
}

struct Flattener<'a> {
    sheet: &'a Sheet,
    left: usize,
}

impl Flattener<'_> {
    /// One object schema for what of `schema` is an object; nothing where none is.
    fn object(&mut self, schema: &Schema, depth: usize) -> Option<Schema> {
        let kinds = types(schema);
        if !kinds.is_empty() && !kinds.contains(&"object") {
            return None;
        }
        if depth > DEEPEST || self.left == 0 {
            return Some(Map::new());
        }
        self.left -= 1;
        let mut own = schema.clone();
        for keyword in ["$ref", "allOf", "anyOf", "oneOf"] {
            own.shift_remove(keyword);
        }
        let together = self
            .sheet
            .referred(schema)
            .into_iter()
            .chain(list(schema, "allOf").iter().filter_map(Value::as_object));
        for part in together {
            let part = self.object(part, depth + 1)?;
            own = both(own, part, Conflict::KeepFirst)?;
        }
        for keyword in ["anyOf", "oneOf"] {
            if schema.contains_key(keyword) {
                own = self.union(own, list(schema, keyword), depth)?;
            }
        }
        let closes = own.get("unevaluatedProperties") == Some(&Value::Bool(false));
        if closes && own.contains_key("properties") {
            own.shift_remove("unevaluatedProperties");
            own.entry("additionalProperties")
                .or_insert(Value::Bool(false));
        }
        Some(own)
    }

    fn union(&mut self, own: Schema, branches: &[Value], depth: usize) -> Option<Schema> {
        let objects: Vec<Schema> = branches
            .iter()
            .filter_map(Value::as_object)
            .filter_map(|branch| self.object(branch, depth + 1))
            .collect();
        match objects.as_slice() {
            [] => None,
            [one] => both(own, one.clone(), Conflict::KeepFirst),
            many => {
                let told = alternatives(many);
                let mut joined = both(own, one_object(many), Conflict::KeepFirst)?;
                say(&mut joined, &told);
                Some(joined)
            }
        }
    }
}

/// Tells which properties go together.
fn alternatives(branches: &[Schema]) -> Vec<String> {
    let told: Vec<String> = branches
        .iter()
        .take(MOST_TOLD)
        .enumerate()
        .map(|(number, branch)| format!("({}) {}", number + 1, alternative(branch)))
        .collect();
    vec![format!("One of these: {}.", told.join("; "))]
}

fn alternative(branch: &Schema) -> String {
    let needed = required(branch);
    let listed = properties(branch);
    let mut names: Vec<String> = Vec::new();
    for (name, schema) in listed.into_iter().flatten() {
        let optional = if needed.contains(&name.as_str()) {
            ""
        } else {
            " (optional)"
        };
        names.push(match schema.get("const") {
            Some(value) => format!("`{name}` {}{optional}", brief(value)),
            None => format!("`{name}`{optional}"),
        });
    }
    for name in needed {
        if listed.is_none_or(|listed| !listed.contains_key(name)) {
            names.push(format!("`{name}`"));
        }
    }
    let text = |keyword: &str| branch.get(keyword).and_then(Value::as_str);
    let label = text("description").or_else(|| text("title"));
    let names = if names.is_empty() {
        "anything".to_owned()
    } else {
        names.join(", ")
    };
    match label {
        Some(label) => format!("{}: {names}", label.trim_end_matches('.')),
        None => names,
    }
}
