//! A schema put in order: its root, and its definitions by name.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::keyword::{list, literals, target, types};
use crate::schema::walk::{Schema, children};

/// Above this many definitions nobody asks which of them contain themselves.
const MOST_DEFINITIONS: usize = 500;

/// A schema whose references are all `#/$defs/<name>`, and all exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    pub(super) root: Schema,
    pub(super) defs: Map<String, Value>,
}

impl Sheet {
    /// The definition that a schema refers to.
    pub(super) fn referred(&self, schema: &Schema) -> Option<&Schema> {
        self.defs.get(target(schema)?)?.as_object()
    }

    /// The root with the definitions that it needs under `$defs`.
    pub(super) fn into_value(self) -> Value {
        let Self { mut root, mut defs } = self;
        let needed = needed(&root, &defs);
        defs.retain(|name, _| needed.contains(name));
        if !defs.is_empty() {
            root.insert("$defs".into(), Value::Object(defs));
        }
        Value::Object(root)
    }

    /// The definitions that contain themselves. Where there are very many, all count as such.
    pub(super) fn cyclic(&self) -> BTreeSet<String> {
        if self.defs.len() > MOST_DEFINITIONS {
            return self.defs.keys().cloned().collect();
        }
        let reaches_itself = |name: &&String| {
            let body = self.defs.get(*name).and_then(Value::as_object);
            body.is_some_and(|body| needed(body, &self.defs).contains(*name))
        };
        self.defs.keys().filter(reaches_itself).cloned().collect()
    }

    /// Whether null is valid under a schema.
    pub(super) fn takes_null(&self, schema: &Schema) -> bool {
        self.takes_null_within(schema, 0)
    }

    fn takes_null_within(&self, schema: &Schema, depth: usize) -> bool {
        if depth > 16 {
            return true;
        }
        if let Some(referred) = self.referred(schema) {
            return self.takes_null_within(referred, depth + 1);
        }
        if let Some(literals) = literals(schema) {
            return literals.iter().any(|literal| literal.is_null());
        }
        let branches = list(schema, "anyOf");
        if !branches.is_empty() {
            return branches
                .iter()
                .filter_map(Value::as_object)
                .any(|branch| self.takes_null_within(branch, depth + 1));
        }
        types(schema).contains(&"null")
    }

    /// Whether a definition stands for itself, without a property or an item in between. Where
    /// there are very many, one of them may.
    pub(super) fn may_have_empty_cycle(&self) -> bool {
        if self.defs.len() > MOST_DEFINITIONS {
            return true;
        }
        self.defs.keys().any(|name| {
            let mut seen = BTreeSet::new();
            let mut waiting = vec![name.as_str()];
            while let Some(next) = waiting.pop() {
                let Some(body) = self.defs.get(next).and_then(Value::as_object) else {
                    continue;
                };
                for other in in_place(body) {
                    if other == name {
                        return true;
                    }
                    if seen.insert(other) {
                        waiting.push(other);
                    }
                }
            }
            false
        })
    }
}

/// The definitions that a schema refers to with nothing in between.
fn in_place(schema: &Schema) -> Vec<&str> {
    let mut found = Vec::new();
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        found.extend(target(schema));
        for keyword in ["anyOf", "oneOf", "allOf"] {
            waiting.extend(list(schema, keyword).iter().filter_map(Value::as_object));
        }
    }
    found
}

/// The definitions that a schema needs, through others too.
pub(super) fn needed(schema: &Schema, defs: &Map<String, Value>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&Value> = children(schema);
    let mut names: Vec<&str> = target(schema).into_iter().collect();
    loop {
        while let Some(value) = waiting.pop() {
            if let Value::Object(inner) = value {
                names.extend(target(inner));
                waiting.extend(children(inner));
            }
        }
        let Some(name) = names.pop() else {
            return found;
        };
        if found.insert(name.to_owned()) {
            waiting.extend(defs.get(name));
        }
    }
}
