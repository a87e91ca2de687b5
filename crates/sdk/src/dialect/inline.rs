//! References replaced by what they name.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::keyword::{only_annotates, target};
use super::sheet::Sheet;
use crate::schema::walk::{DEEPEST, Schema, children_mut};

/// A schema that would grow beyond this many parts keeps its references.
const MOST_SCHEMAS: usize = 10_000;

/// Inlines every definition that does not contain itself. What would grow too large, or nest too
/// deep, stays as it is: a definition used twice in each of thirty others is a billion copies.
pub(super) fn inlined(sheet: Sheet) -> Sheet {
    if sheet.defs.is_empty() {
        return sheet;
    }
    let mut inliner = Inliner {
        cyclic: sheet.cyclic(),
        sheet: &sheet,
        left: MOST_SCHEMAS,
    };
    let Some(Value::Object(root)) = inliner.object(&sheet.root, 0) else {
        return sheet;
    };
    let mut defs = Map::new();
    for name in inliner.cyclic.clone() {
        let Some(body) = sheet
            .defs
            .get(&name)
            .and_then(|body| inliner.schema(body, 0))
        else {
            return sheet;
        };
        defs.insert(name, body);
    }
    Sheet { root, defs }
}

struct Inliner<'a> {
    cyclic: BTreeSet<String>,
    sheet: &'a Sheet,
    left: usize,
}

impl Inliner<'_> {
    fn schema(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        match schema {
            Value::Object(object) => self.object(object, depth),
            other => Some(other.clone()),
        }
    }

    fn object(&mut self, schema: &Schema, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if depth > 2 * DEEPEST {
            return None;
        }
        let mut own = schema.clone();
        for child in children_mut(&mut own) {
            *child = self.schema(child, depth + 1)?;
        }
        let Some(name) = target(schema).filter(|name| !self.cyclic.contains(*name)) else {
            return Some(Value::Object(own));
        };
        own.shift_remove("$ref");
        let body = self.schema(self.sheet.defs.get(name)?, depth + 1)?;
        Some(beside(own, body))
    }
}

/// What is said beside a reference, joined with what it named.
fn beside(mut own: Schema, body: Value) -> Value {
    if own.is_empty() {
        return body;
    }
    let Value::Object(body) = body else {
        return Value::Object(own);
    };
    if only_annotates(&own) {
        let mut joined = body;
        joined.extend(own);
        return Value::Object(joined);
    }
    match own.get_mut("allOf") {
        Some(Value::Array(all)) => all.push(Value::Object(body)),
        _ => {
            own.insert("allOf".into(), json!([body]));
        }
    }
    Value::Object(own)
}
