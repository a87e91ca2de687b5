//! Puts any JSON in the order that the translators expect of a schema.
//!
//! Afterwards every type word exists, every reference is `#/$defs/<name>` and leads somewhere,
//! keywords hold what they should, and nothing is nested deeper than `DEEPEST`.

use std::collections::{BTreeSet, HashMap, VecDeque};

use serde_json::{Map, Value};

use super::keyword::{anything, is_type, reference, say};
use super::legacy;
use super::resolve::{Place, Resolver};
use super::sheet::Sheet;
use super::value;
use crate::schema::walk::{DEEPEST, Holds, Schema, holds};

/// A schema of more parts than this is cut off; what is cut is open.
const MOST_SCHEMAS: usize = 50_000;

/// Cleans a whole schema.
pub(super) fn clean(raw: &Value) -> Sheet {
    let mut cleaner = Cleaner {
        resolver: Resolver::new(raw),
        names: HashMap::new(),
        taken: BTreeSet::new(),
        waiting: VecDeque::new(),
        left: MOST_SCHEMAS,
        old_references: legacy::ignores_siblings(raw),
    };
    let root = cleaner.schema(raw, raw, 0);
    let mut defs = Map::new();
    while let Some((name, place)) = cleaner.waiting.pop_front() {
        let body = cleaner.schema(place.schema, place.resource, 0);
        defs.insert(name, body);
    }
    let root = match root {
        Value::Object(root) => root,
        _ => Map::new(),
    };
    Sheet { root, defs }
}

struct Cleaner<'a> {
    resolver: Resolver<'a>,
    names: HashMap<*const Value, String>,
    taken: BTreeSet<String>,
    waiting: VecDeque<(String, Place<'a>)>,
    left: usize,
    old_references: bool,
}

impl<'a> Cleaner<'a> {
    fn schema(&mut self, raw: &'a Value, resource: &'a Value, depth: usize) -> Value {
        let object = match raw {
            Value::Object(object) if depth < DEEPEST && self.left > 0 => object,
            Value::Bool(false) => {
                return Value::Object(Map::from_iter([("not".into(), anything())]));
            }
            _ => return anything(),
        };
        self.left -= 1;
        let is_resource = object
            .get("$id")
            .and_then(Value::as_str)
            .is_some_and(|id| !id.starts_with('#'));
        let resource = if is_resource { raw } else { resource };
        let modern = legacy::modern(object, self.old_references);
        let mut cleaned = Map::new();
        for (keyword, inner) in modern {
            if let Some(inner) = self.keyword(keyword, inner, resource, depth) {
                cleaned.insert(keyword.to_owned(), inner);
            }
        }
        legacy::numbers(object, &mut cleaned);
        type_word(object, &mut cleaned);
        Value::Object(cleaned)
    }

    fn keyword(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        resource: &'a Value,
        depth: usize,
    ) -> Option<Value> {
        match keyword {
            "$ref" => return self.refer(inner.as_str()?, resource),
            "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems"
                if inner.is_boolean() =>
            {
                return Some(inner.clone());
            }
            _ => {}
        }
        match (holds(keyword), inner) {
            (Holds::One, Value::Object(_) | Value::Bool(_)) => {
                Some(self.schema(inner, resource, depth + 1))
            }
            (Holds::List, Value::Array(list)) if !list.is_empty() => Some(Value::Array(
                list.iter()
                    .map(|one| self.schema(one, resource, depth + 1))
                    .collect(),
            )),
            (Holds::Map, Value::Object(map)) => {
                let mut cleaned = Map::new();
                for (name, one) in map {
                    cleaned.insert(name.clone(), self.schema(one, resource, depth + 1));
                }
                Some(Value::Object(cleaned))
            }
            (Holds::Nothing, plain) => value::plain(keyword, plain),
            _ => None,
        }
    }

    /// Gives what a reference names a place under `$defs`.
    fn refer(&mut self, written: &str, resource: &'a Value) -> Option<Value> {
        let place = self.resolver.find(written, resource)?;
        let key = std::ptr::from_ref(place.schema);
        if let Some(name) = self.names.get(&key) {
            return Some(reference(name));
        }
        let name = self.free_name(written);
        self.names.insert(key, name.clone());
        self.taken.insert(name.clone());
        let answer = reference(&name);
        self.waiting.push_back((name, place));
        Some(answer)
    }

    fn free_name(&self, written: &str) -> String {
        let last = written.rsplit(['/', '#']).find(|part| !part.is_empty());
        let wanted: String = last
            .unwrap_or("Root")
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '-' {
                    c
                } else {
                    '_'
                }
            })
            .take(48)
            .collect();
        let numbered = (2_usize..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.clone())
            .chain(numbered)
            .find(|name| !self.taken.contains(name))
            .unwrap_or(wanted)
    }
}

/// Keeps the types that exist. A word that does not is told in the description instead: it may
/// still help a model.
fn type_word(raw: &Schema, cleaned: &mut Schema) {
    let words: Vec<&str> = match raw.get("type") {
        None => return,
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        Some(_) => Vec::new(),
    };
    let mut kinds: Vec<&str> = Vec::new();
    for word in &words {
        if is_type(word) && !kinds.contains(word) {
            kinds.push(word);
        }
    }
    let are_all_known = words.iter().all(|word| is_type(word)) && !kinds.is_empty();
    if are_all_known {
        cleaned.insert("type".into(), super::keyword::type_value(&kinds));
        return;
    }
    cleaned.shift_remove("type");
    let told = words.join(" or ");
    if !told.is_empty() && told.chars().count() <= 80 {
        say(cleaned, &[format!("Type: {told}.")]);
    }
}
