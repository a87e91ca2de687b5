//! The form that strict translations start from.
//!
//! In it a schema is a reference, an `anyOf`, or has exactly the keywords of its types; references
//! and unions carry annotations only; and every object lists its properties. A schema that can't
//! be brought there can't be expressed strictly.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::join::{Conflict, both};
use super::keyword::{
    is_annotation, is_nothing, list, literals, only_annotates, properties, required, target,
    type_value,
};
use super::sheet::{Sheet, needed};
use super::typed::{kept, kinds, scalar};
use crate::schema::walk::{DEEPEST, Schema, children};

/// A schema that grows beyond this many parts is not sent strictly.
const MOST_SCHEMAS: usize = 20_000;

/// Keywords that no strict mode can express, and that are too much for a sentence.
const INEXPRESSIBLE: [&str; 10] = [
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "dependentSchemas",
    "prefixItems",
    "contains",
    "unevaluatedItems",
    "contentSchema",
];

/// Brings a sheet into normal form, with the definitions that it still needs.
pub(super) fn normal(sheet: &Sheet) -> Option<Sheet> {
    let normaliser = Normaliser {
        sheet,
        left: Cell::new(MOST_SCHEMAS),
    };
    let root = Value::Object(sheet.root.clone());
    let Value::Object(root) = normaliser.schema(&root, 0)? else {
        return None;
    };
    let mut defs = Map::new();
    let mut wanted: Vec<String> = needed(&root, &Map::new()).into_iter().collect();
    while let Some(name) = wanted.pop() {
        if defs.contains_key(&name) {
            continue;
        }
        let body = normaliser.schema(sheet.defs.get(&name)?, 0)?;
        wanted.extend(
            body.as_object()
                .map(|body| needed(body, &Map::new()))
                .into_iter()
                .flatten(),
        );
        defs.insert(name, body);
    }
    // The order in which definitions were met is the order in which they are sent.
    let mut ordered = Map::new();
    for name in sheet.defs.keys() {
        if let Some(body) = defs.swap_remove(name) {
            ordered.insert(name.clone(), body);
        }
    }
    let normal = Sheet {
        root,
        defs: ordered,
    };
    (!normal.may_have_empty_cycle()).then_some(normal)
}

struct Normaliser<'a> {
    sheet: &'a Sheet,
    left: Cell<usize>,
}

impl Normaliser<'_> {
    fn spend(&self, parts: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(parts)?);
        Some(())
    }

    fn schema(&self, schema: &Value, depth: usize) -> Option<Value> {
        self.spend(1)?;
        if depth > DEEPEST {
            return None;
        }
        let schema = schema.as_object()?;
        if let Some(plain) = plain_reference(schema) {
            return Some(Value::Object(plain));
        }
        let flat = self.flat(schema, depth)?;
        if flat.contains_key("anyOf") || flat.contains_key("oneOf") {
            return self.union(&flat, depth);
        }
        self.typed(&flat, depth)
    }

    /// The schema without references and `allOf`: what they say is joined in.
    fn flat(&self, schema: &Schema, depth: usize) -> Option<Schema> {
        self.spend(1)?;
        if depth > DEEPEST {
            return None;
        }
        let mut own = schema.clone();
        own.shift_remove("$ref");
        own.shift_remove("allOf");
        if target(schema).is_some() {
            let referred = self.sheet.referred(schema)?;
            // Joining copies what is referred to, so that is what it costs.
            self.spend(weight(referred))?;
            let referred = self.flat(referred, depth + 1)?;
            own = both(own, referred, Conflict::Refuse)?;
        }
        for part in list(schema, "allOf") {
            let part = self.flat(part.as_object()?, depth + 1)?;
            own = both(own, part, Conflict::Refuse)?;
        }
        Some(own)
    }

    fn union(&self, flat: &Schema, depth: usize) -> Option<Value> {
        if flat.contains_key("anyOf") && flat.contains_key("oneOf") {
            return None;
        }
        let (told, mut rest): (Schema, Schema) = flat
            .clone()
            .into_iter()
            .partition(|(keyword, _)| is_annotation(keyword));
        rest.shift_remove("anyOf");
        rest.shift_remove("oneOf");
        let mut branches = Vec::new();
        for branch in list(flat, "anyOf").iter().chain(list(flat, "oneOf")) {
            if is_nothing(branch) {
                continue;
            }
            let branch = if rest.is_empty() {
                branch.clone()
            } else {
                let flat = self.flat(branch.as_object()?, depth + 1)?;
                Value::Object(both(rest.clone(), flat, Conflict::Refuse)?)
            };
            branches.push(self.schema(&branch, depth + 1)?);
        }
        if branches.is_empty() {
            return None;
        }
        let mut union = told;
        union.insert("anyOf".into(), Value::Array(branches));
        Some(Value::Object(union))
    }

    fn typed(&self, flat: &Schema, depth: usize) -> Option<Value> {
        if INEXPRESSIBLE
            .iter()
            .any(|keyword| flat.contains_key(*keyword))
        {
            return None;
        }
        let kinds = kinds(flat)?;
        match kinds.as_slice() {
            ["object"] => self.object(flat, depth),
            ["array"] => self.array(flat, depth),
            scalars if !kinds.contains(&"object") && !kinds.contains(&"array") => {
                scalar(flat, scalars)
            }
            several => {
                let mut apart: Vec<Vec<&str>> = vec![Vec::new()];
                for kind in several {
                    match (*kind, apart.first_mut()) {
                        ("object" | "array", _) => apart.push(vec![kind]),
                        (_, Some(scalars)) => scalars.push(kind),
                        _ => {}
                    }
                }
                apart.retain(|kinds| !kinds.is_empty());
                self.split(flat, &apart, depth)
            }
        }
    }

    /// Several types of which some hold others become a union, one branch each.
    fn split(&self, flat: &Schema, apart: &[Vec<&str>], depth: usize) -> Option<Value> {
        let mut union: Schema = flat.clone();
        union.retain(|keyword, _| is_annotation(keyword));
        let mut branches = Vec::new();
        for kinds in apart {
            let mut branch = flat.clone();
            branch.retain(|keyword, _| !is_annotation(keyword));
            branch.insert("type".into(), type_value(kinds));
            branches.push(self.schema(&Value::Object(branch), depth + 1)?);
        }
        union.insert("anyOf".into(), Value::Array(branches));
        Some(Value::Object(union))
    }

    fn object(&self, flat: &Schema, depth: usize) -> Option<Value> {
        let mut normal = kept(flat, &["object"]);
        normal.insert("type".into(), Value::from("object"));
        let closed = |keyword: &str| flat.get(keyword) == Some(&Value::Bool(false));
        let listed = match (properties(flat), flat.get("additionalProperties")) {
            (Some(listed), None) => listed.clone(),
            (listed, Some(Value::Bool(false))) => listed.cloned().unwrap_or_default(),
            _ => return None,
        };
        if flat.contains_key("unevaluatedProperties") && !closed("unevaluatedProperties") {
            return None;
        }
        if literals(flat).is_some() {
            return None;
        }
        let needed = required(flat);
        let mut named = Map::new();
        for (name, schema) in &listed {
            let is_optional = !needed.contains(&name.as_str());
            if is_optional && is_nothing(schema) {
                continue;
            }
            named.insert(name.clone(), self.schema(schema, depth + 1)?);
        }
        if !needed.iter().all(|name| named.contains_key(*name)) {
            return None;
        }
        normal.insert("properties".into(), Value::Object(named));
        normal.insert("required".into(), Value::from(needed));
        normal.insert("additionalProperties".into(), Value::Bool(false));
        Some(Value::Object(normal))
    }

    fn array(&self, flat: &Schema, depth: usize) -> Option<Value> {
        let mut normal = kept(flat, &["array"]);
        normal.insert("type".into(), Value::from("array"));
        if literals(flat).is_some() {
            return None;
        }
        normal.insert("items".into(), self.schema(flat.get("items")?, depth + 1)?);
        Some(Value::Object(normal))
    }
}

/// A reference with nothing beside it but annotations, also where older generators had to wrap
/// it in an `allOf` to say them.
fn plain_reference(schema: &Schema) -> Option<Schema> {
    let mut told = schema.clone();
    let mut reference = told.shift_remove("$ref");
    if reference.is_none()
        && let [one] = list(schema, "allOf")
    {
        told.shift_remove("allOf");
        let one = one.as_object().filter(|one| one.len() == 1)?;
        reference = one.get("$ref").cloned();
    }
    let reference = reference.filter(|_| only_annotates(&told))?;
    told.insert("$ref".into(), reference);
    Some(told)
}

/// How many parts a schema has.
fn weight(schema: &Schema) -> usize {
    let mut parts = 0;
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        parts += 1 + list(schema, "enum").len();
        waiting.extend(children(schema).into_iter().filter_map(Value::as_object));
    }
    parts
}
