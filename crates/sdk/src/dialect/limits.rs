//! How much a provider takes of a schema that it samples strictly.

use serde_json::Value;

use super::keyword::{list, literals, properties, required, types};
use crate::schema::walk::{Schema, parts};

/// What is counted of a schema.
#[derive(Debug, Default)]
struct Count {
    properties: usize,
    optional: usize,
    unions: usize,
    values: usize,
    characters: usize,
    levels: usize,
    has_long_enum: bool,
}

/// Whether OpenAI takes a schema of this size.
pub(super) fn fits_openai(schema: &Value) -> bool {
    let count = count(schema);
    count.properties <= 5_000
        && count.levels <= 10
        && count.values <= 1_000
        && count.characters <= 120_000
        && !count.has_long_enum
}

/// Whether Anthropic takes a schema of this size.
pub(super) fn fits_anthropic(schema: &Value) -> bool {
    let count = count(schema);
    count.optional <= 24 && count.unions <= 16
}

fn count(schema: &Value) -> Count {
    let mut count = Count::default();
    let mut waiting = vec![(schema, 0_usize)];
    while let Some((schema, level)) = waiting.pop() {
        let Some(schema) = schema.as_object() else {
            continue;
        };
        let level = level + usize::from(types(schema).contains(&"object"));
        count.levels = count.levels.max(level);
        count.add(schema);
        let defs = schema.get("$defs").and_then(Value::as_object);
        for (name, body) in defs.into_iter().flatten() {
            count.characters += name.chars().count();
            waiting.push((body, 0));
        }
        waiting.extend(parts(schema).into_iter().map(|part| (part, level)));
    }
    count
}

impl Count {
    fn add(&mut self, schema: &Schema) {
        let needed = required(schema).len();
        if let Some(named) = properties(schema) {
            self.properties += named.len();
            self.optional += named.len().saturating_sub(needed);
            self.characters += named.keys().map(|name| name.chars().count()).sum::<usize>();
        }
        if !list(schema, "anyOf").is_empty() || types(schema).len() > 1 {
            self.unions += 1;
        }
        let Some(literals) = literals(schema) else {
            return;
        };
        let length: usize = literals
            .iter()
            .filter_map(|literal| literal.as_str())
            .map(|text| text.chars().count())
            .sum();
        self.values += literals.len();
        self.characters += length;
        self.has_long_enum |= literals.len() > 250 && length > 15_000;
    }
}
