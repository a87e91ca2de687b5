//! Whether a value was written for a schema: it decides which branch of a union is meant.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use super::keyword::{is_of, list, literals, properties, required, same, types};
use super::names::Names;
use super::sheet::Sheet;
use crate::schema::walk::Schema;

/// After so many looks nothing fits any more. Unions inside unions can be looked at in more ways
/// than there is time.
pub(super) const MOST_LOOKS: usize = 200_000;

/// References and unions nested deeper than this fit nothing.
const DEEPEST_LOOK: usize = 256;

/// In whose terms arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The original schema's.
    Original,
    /// Those of the schema that was sent: an absent property is null.
    Sent,
}

/// Compares values with schemas in normal form.
pub(super) struct Fits<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) names: &'a Names,
    pub(super) side: Side,
    pub(super) looks: &'a Cell<usize>,
}

impl Fits<'_> {
    /// Whether the value is one for the schema.
    pub(super) fn schema(&self, value: &Value, schema: &Schema, depth: usize) -> bool {
        let Some(left) = self.looks.get().checked_sub(1) else {
            return false;
        };
        self.looks.set(left);
        if depth > DEEPEST_LOOK {
            return false;
        }
        if let Some(referred) = self.sheet.referred(schema) {
            return self.schema(value, referred, depth + 1);
        }
        let branches = list(schema, "anyOf");
        if !branches.is_empty() {
            return branches
                .iter()
                .filter_map(Value::as_object)
                .any(|branch| self.schema(value, branch, depth + 1));
        }
        if !types(schema).iter().any(|kind| is_of(value, kind)) {
            return false;
        }
        let is_listed = literals(schema)
            .is_none_or(|literals| literals.iter().any(|literal| same(literal, value)));
        is_listed && self.content(value, schema, depth)
    }

    fn content(&self, value: &Value, schema: &Schema, depth: usize) -> bool {
        match value {
            Value::Object(map) => self.object(map, schema, depth),
            Value::Array(items) => {
                let inner = schema.get("items").and_then(Value::as_object);
                within(schema, "minItems", "maxItems", items.len())
                    && inner.is_some_and(|inner| {
                        items.iter().all(|item| self.schema(item, inner, depth + 1))
                    })
            }
            Value::String(text) => {
                within(schema, "minLength", "maxLength", text.chars().count())
                    && holds(value, schema, &["pattern"])
            }
            Value::Number(_) => holds(
                value,
                schema,
                &[
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                ],
            ),
            _ => true,
        }
    }

    fn object(&self, map: &Map<String, Value>, schema: &Schema, depth: usize) -> bool {
        let Some(named) = properties(schema) else {
            return false;
        };
        let needed = required(schema);
        let key = |name: &'_ String| match self.side {
            Side::Original => name.clone(),
            Side::Sent => self.names.sent(name).to_owned(),
        };
        let mut met = 0;
        for (name, inner) in named {
            let is_optional = !needed.contains(&name.as_str());
            let Some(value) = map.get(&key(name)) else {
                if is_optional {
                    continue;
                }
                return false;
            };
            met += 1;
            let is_absent = self.side == Side::Sent && is_optional && value.is_null();
            let inner = inner.as_object();
            if !is_absent && !inner.is_some_and(|inner| self.schema(value, inner, depth + 1)) {
                return false;
            }
        }
        met == map.len()
    }
}

fn within(schema: &Schema, least: &str, most: &str, count: usize) -> bool {
    let limit = |keyword: &str| {
        let limit = schema.get(keyword).and_then(Value::as_u64)?;
        usize::try_from(limit).ok()
    };
    limit(least).is_none_or(|least| count >= least) && limit(most).is_none_or(|most| count <= most)
}

/// Whether the value is valid as far as some keywords go.
fn holds(value: &Value, schema: &Schema, keywords: &[&str]) -> bool {
    let only: Map<String, Value> = schema
        .iter()
        .filter(|(keyword, _)| keywords.contains(&keyword.as_str()))
        .map(|(keyword, limit)| (keyword.clone(), limit.clone()))
        .collect();
    only.is_empty() || jsonschema::validator_for(&json!(only)).is_ok_and(|v| v.is_valid(value))
}
