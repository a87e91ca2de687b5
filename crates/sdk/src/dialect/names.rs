//! Property names that a provider does not take, and what is sent for them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Dialect;
use super::keyword::{literals, properties, required};
use super::sheet::Sheet;
use crate::schema::walk::{Schema, each, each_mut};

/// The longest name that providers take which say a length.
const LONGEST: usize = 64;

/// The names that are sent under another one.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    sent: BTreeMap<String, String>,
}

impl Names {
    /// Finds another name for each that the provider would refuse the schema for.
    pub(super) fn of(sheet: &Sheet, dialect: Dialect) -> Self {
        let mut all = Vec::new();
        let mut look = |schema: &Schema| {
            all.extend(properties(schema).into_iter().flat_map(Map::keys).cloned());
            all.extend(required(schema).into_iter().map(str::to_owned));
        };
        each(&Value::Object(sheet.root.clone()), &mut look);
        sheet.defs.values().for_each(|body| each(body, &mut look));
        let (fine, refused): (Vec<String>, Vec<String>) =
            all.into_iter().partition(|name| takes(dialect, name));
        let mut taken: BTreeSet<String> = fine.into_iter().collect();
        let mut sent = BTreeMap::new();
        for name in refused {
            sent.entry(name).or_insert_with_key(|name| {
                let other = free_name(name, &taken);
                taken.insert(other.clone());
                other
            });
        }
        Self { sent }
    }

    /// Whether every name is sent as it is.
    pub(super) fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// What is sent for a name.
    pub(super) fn sent<'a>(&'a self, name: &'a str) -> &'a str {
        self.sent.get(name).map_or(name, String::as_str)
    }

    /// Renames properties all over a schema that is about to be sent.
    pub(super) fn apply(&self, schema: &mut Value) {
        if !self.is_empty() {
            each_mut(schema, &mut |object| self.rename(object));
        }
    }

    fn rename(&self, schema: &mut Schema) {
        if lists_objects(schema) {
            // The values stand there with their own names, and say all that needs saying.
            for keyword in ["properties", "required", "additionalProperties", "items"] {
                schema.shift_remove(keyword);
            }
            return;
        }
        for keyword in ["properties", "dependentRequired", "dependentSchemas"] {
            if let Some(Value::Object(map)) = schema.get_mut(keyword) {
                *map = std::mem::take(map)
                    .into_iter()
                    .map(|(name, inner)| (self.sent(&name).to_owned(), inner))
                    .collect();
            }
        }
        if let Some(list) = schema.get_mut("required") {
            self.rename_list(list);
        }
        if let Some(Value::Object(map)) = schema.get_mut("dependentRequired") {
            map.values_mut().for_each(|list| self.rename_list(list));
        }
    }

    fn rename_list(&self, list: &mut Value) {
        for name in list.as_array_mut().into_iter().flatten() {
            if let Some(text) = name.as_str() {
                *name = Value::from(self.sent(text));
            }
        }
    }
}

/// Whether a schema lists objects or arrays as its values.
pub(super) fn lists_objects(schema: &Schema) -> bool {
    literals(schema).is_some_and(|all| {
        all.iter()
            .any(|literal| literal.is_object() || literal.is_array())
    })
}

fn takes(dialect: Dialect, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_short = name.len() <= LONGEST && !name.is_empty();
    match dialect {
        Dialect::Anthropic => is_short && name.chars().all(|c| is_word(c) || c == '.' || c == '-'),
        Dialect::Gemini => {
            is_short && name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit())
        }
        // No rule is written down; what no JSON text can name plainly is not worth a refusal.
        Dialect::OpenAi | Dialect::Compatible => {
            !name.is_empty() && !name.chars().any(char::is_control)
        }
    }
}

fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let mut plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(LONGEST - 8)
        .collect();
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        plain.insert(0, '_');
    }
    let numbered = (2_usize..).map(|number| format!("{plain}_{number}"));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|name| !taken.contains(name))
        .unwrap_or_default()
}
