//! Turns arguments from the original schema's terms into those of the sent one, and back.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::fits::{Fits, MOST_LOOKS, Side};
use super::keyword::{list, literals, properties, required, types};
use super::names::{Names, lists_objects};
use super::sheet::Sheet;
use crate::schema::walk::{Schema, each};

/// Arguments nested deeper than this are left alone from there on.
const DEEPEST_ARGUMENTS: usize = 256;

/// Whether an absent property is sent as null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absent {
    /// It stays absent.
    Stays,
    /// It becomes null, so that every property is there.
    Null,
}

/// What is needed to translate arguments.
#[derive(Clone, Debug)]
pub(super) struct Codec {
    pub(super) sheet: Sheet,
    pub(super) names: Names,
    pub(super) absent: Absent,
}

impl Codec {
    /// Whether arguments are the same in both terms.
    pub(super) fn is_identity(&self) -> bool {
        self.names.is_empty() && (self.absent == Absent::Stays || !self.has_optional())
    }

    fn has_optional(&self) -> bool {
        let mut found = false;
        let mut look = |schema: &Schema| {
            let needed = required(schema).len();
            found |= properties(schema).is_some_and(|named| named.len() > needed);
        };
        look(&self.sheet.root);
        let inner = properties(&self.sheet.root)
            .into_iter()
            .flat_map(Map::values);
        inner
            .chain(self.sheet.defs.values())
            .for_each(|schema| each(schema, &mut look));
        found
    }

    /// Translates arguments written by one side into the other side's terms.
    pub(super) fn translate(&self, arguments: Value, from: Side) -> Value {
        let walk = Walk {
            codec: self,
            from,
            looks: Cell::new(MOST_LOOKS),
        };
        walk.value(arguments, &[&self.sheet.root], 0)
    }
}

struct Walk<'a> {
    codec: &'a Codec,
    from: Side,
    looks: Cell<usize>,
}

impl<'a> Walk<'a> {
    fn value(&self, value: Value, schemas: &[&'a Schema], depth: usize) -> Value {
        if depth > DEEPEST_ARGUMENTS || schemas.is_empty() {
            return value;
        }
        if !value.is_object() && !value.is_array() {
            return value;
        }
        let mut schemas = self.apart(schemas, &value);
        let is_listed =
            |schema: &&Schema| literals(schema).is_some_and(|all| all.contains(&&value));
        if schemas.iter().any(is_listed) {
            return value;
        }
        schemas.retain(|schema| !lists_objects(schema));
        match value {
            Value::Object(map) => Value::Object(self.object(map, &schemas, depth)),
            Value::Array(list) => {
                let translate = |(place, one)| {
                    let inner: Vec<&Schema> = schemas
                        .iter()
                        .filter_map(|schema| item(schema, place))
                        .collect();
                    self.value(one, &inner, depth + 1)
                };
                list.into_iter().enumerate().map(translate).collect()
            }
            other => other,
        }
    }

    fn object(
        &self,
        map: Map<String, Value>,
        schemas: &[&'a Schema],
        depth: usize,
    ) -> Map<String, Value> {
        let mut translated = Map::new();
        let mut originals: Map<String, Value> = Map::new();
        for (key, value) in map {
            let original = self.original(key, schemas);
            originals.insert(original, value);
        }
        for (name, value) in originals {
            let inner = inner(schemas, &name);
            if value.is_null() && self.drops_null(schemas, &name, &inner) {
                continue;
            }
            let is_listed = lists(schemas, &name);
            let value = self.value(value, &inner, depth + 1);
            let key = match self.from {
                Side::Original if is_listed => self.codec.names.sent(&name).to_owned(),
                _ => name,
            };
            translated.insert(key, value);
        }
        if self.codec.absent == Absent::Null && self.from == Side::Original {
            for name in schemas
                .iter()
                .filter_map(|schema| properties(schema))
                .flat_map(Map::keys)
            {
                let key = self.codec.names.sent(name);
                if !translated.contains_key(key) {
                    translated.insert(key.to_owned(), Value::Null);
                }
            }
        }
        translated
    }

    /// The name in the original schema of what is written as `key`.
    fn original(&self, key: String, schemas: &[&Schema]) -> String {
        if self.from == Side::Original || self.codec.names.is_empty() {
            return key;
        }
        let listed = schemas.iter().filter_map(|schema| properties(schema));
        listed
            .flat_map(Map::keys)
            .find(|name| self.codec.names.sent(name) == key)
            .cloned()
            .unwrap_or(key)
    }

    fn drops_null(&self, schemas: &[&Schema], name: &str, inner: &[&Schema]) -> bool {
        self.codec.absent == Absent::Null
            && self.from == Side::Sent
            && lists(schemas, name)
            && !schemas
                .iter()
                .any(|schema| required(schema).contains(&name))
            && !inner
                .iter()
                .any(|schema| self.codec.sheet.takes_null(schema))
    }

    /// The schemas behind references and unions that speak of this value.
    fn apart(&self, schemas: &[&'a Schema], value: &Value) -> Vec<&'a Schema> {
        let mut found: Vec<&Schema> = Vec::new();
        let mut waiting: Vec<&Schema> = schemas.iter().rev().copied().collect();
        while let Some(schema) = waiting.pop() {
            if found.len() > 256 || found.iter().any(|other| std::ptr::eq(*other, schema)) {
                continue;
            }
            found.push(schema);
            waiting.extend(self.codec.sheet.referred(schema));
            if self.codec.absent == Absent::Null {
                waiting.extend(self.branch(schema, value));
            } else {
                waiting.extend(sides(schema));
            }
        }
        found
    }

    /// The branch of a union that a value was written for.
    fn branch(&self, schema: &'a Schema, value: &Value) -> Option<&'a Schema> {
        let branches: Vec<&Schema> = list(schema, "anyOf")
            .iter()
            .filter_map(Value::as_object)
            .collect();
        let fits = Fits {
            sheet: &self.codec.sheet,
            names: &self.codec.names,
            side: self.from,
            looks: &self.looks,
        };
        let first = branches.iter().find(|branch| fits.schema(value, branch, 0));
        let kind = if value.is_object() { "object" } else { "array" };
        let of_kind =
            |branch: &&&Schema| types(branch).contains(&kind) || branch.contains_key("$ref");
        first.or_else(|| branches.iter().find(of_kind)).copied()
    }
}

/// Every schema that speaks of the same value as this one.
fn sides(schema: &Schema) -> Vec<&Schema> {
    let mut found = Vec::new();
    for keyword in ["allOf", "anyOf", "oneOf"] {
        found.extend(list(schema, keyword));
    }
    for keyword in ["if", "then", "else"] {
        found.extend(schema.get(keyword));
    }
    let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
    found.extend(dependent.into_iter().flat_map(Map::values));
    found.into_iter().filter_map(Value::as_object).collect()
}

fn lists(schemas: &[&Schema], name: &str) -> bool {
    schemas
        .iter()
        .any(|schema| properties(schema).is_some_and(|named| named.contains_key(name)))
}

/// The schemas of one property.
fn inner<'a>(schemas: &[&'a Schema], name: &str) -> Vec<&'a Schema> {
    let named: Vec<&Schema> = schemas
        .iter()
        .filter_map(|schema| properties(schema)?.get(name)?.as_object())
        .collect();
    if !named.is_empty() {
        return named;
    }
    let further = |schema: &&'a Schema| -> Vec<&'a Value> {
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let mut all: Vec<&Value> = patterns.into_iter().flat_map(Map::values).collect();
        all.extend(schema.get("additionalProperties"));
        all
    };
    schemas
        .iter()
        .flat_map(further)
        .filter_map(Value::as_object)
        .collect()
}

fn item(schema: &Schema, place: usize) -> Option<&Schema> {
    list(schema, "prefixItems")
        .get(place)
        .or_else(|| schema.get("items"))?
        .as_object()
}
