//! Schemas that hold together, made one.

use serde_json::{Map, Value, json};

use super::keyword::{is_annotation, only_annotates, properties, same, type_value, types};
use crate::schema::walk::{DEEPEST, Schema};

/// What happens where two schemas say things that no one schema can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// There is no joined schema.
    Refuse,
    /// The first schema's word stays; the result forbids less than both together.
    KeepFirst,
}

/// The schema of what is valid under both.
pub(super) fn both(first: Schema, second: Schema, conflict: Conflict) -> Option<Schema> {
    both_within(first, second, conflict, 0)
}

fn both_within(
    mut first: Schema,
    mut second: Schema,
    conflict: Conflict,
    depth: usize,
) -> Option<Schema> {
    if depth > DEEPEST {
        return (conflict == Conflict::KeepFirst).then_some(first);
    }
    keep_allowed(&first.clone(), &mut second);
    keep_allowed(&second, &mut first);
    for (keyword, theirs) in second {
        let Some(ours) = first.get_mut(&keyword) else {
            first.insert(keyword, theirs);
            continue;
        };
        if *ours == theirs || is_annotation(&keyword) {
            continue;
        }
        match joined(&keyword, ours, &theirs, depth) {
            Some(value) => *ours = value,
            None if conflict == Conflict::KeepFirst => {}
            None => return None,
        }
    }
    Some(first)
}

/// Where one side takes no further properties, those that it does not list can't be given.
fn keep_allowed(closed: &Schema, other: &mut Schema) {
    if closed.get("additionalProperties") != Some(&Value::Bool(false)) {
        return;
    }
    let listed = properties(closed).cloned().unwrap_or_default();
    if let Some(Value::Object(map)) = other.get_mut("properties") {
        map.retain(|name, _| listed.contains_key(name));
    }
}

fn joined(keyword: &str, ours: &Value, theirs: &Value, depth: usize) -> Option<Value> {
    match keyword {
        "type" => {
            let (one, other) = (as_schema("type", ours), as_schema("type", theirs));
            let kinds = common_types(&types(&one), &types(&other));
            (!kinds.is_empty()).then(|| type_value(&kinds))
        }
        "required" => {
            let mut names = ours.as_array()?.clone();
            for name in theirs.as_array()? {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            Some(Value::Array(names))
        }
        "enum" => {
            let theirs = theirs.as_array()?;
            let kept: Vec<Value> = ours
                .as_array()?
                .iter()
                .filter(|literal| theirs.iter().any(|other| same(literal, other)))
                .cloned()
                .collect();
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            narrower(ours, theirs, |ours, theirs| theirs > ours)
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            narrower(ours, theirs, |ours, theirs| theirs < ours)
        }
        "uniqueItems" => Some(Value::Bool(true)),
        "additionalProperties" if *ours == false || *theirs == false => Some(Value::Bool(false)),
        "additionalProperties" if *ours == true => Some(theirs.clone()),
        "additionalProperties" if *theirs == true => Some(ours.clone()),
        "properties" => {
            let mut map = ours.as_object()?.clone();
            for (name, theirs) in theirs.as_object()? {
                let value = match map.get(name) {
                    Some(ours) => both_values(ours, theirs, depth)?,
                    None => theirs.clone(),
                };
                map.insert(name.clone(), value);
            }
            Some(Value::Object(map))
        }
        "items" => both_values(ours, theirs, depth),
        _ => None,
    }
}

fn narrower(ours: &Value, theirs: &Value, is_narrower: fn(f64, f64) -> bool) -> Option<Value> {
    let takes_theirs = is_narrower(ours.as_f64()?, theirs.as_f64()?);
    Some(if takes_theirs { theirs } else { ours }.clone())
}

fn both_values(ours: &Value, theirs: &Value, depth: usize) -> Option<Value> {
    if ours == theirs {
        return Some(ours.clone());
    }
    let (one, other) = (ours.as_object()?, theirs.as_object()?);
    let is_plain = |schema: &Schema| {
        ["$ref", "anyOf", "oneOf", "allOf", "const"]
            .iter()
            .all(|keyword| !schema.contains_key(*keyword))
    };
    if only_annotates(one) || only_annotates(other) || (is_plain(one) && is_plain(other)) {
        let strict = both_within(one.clone(), other.clone(), Conflict::Refuse, depth + 1);
        if let Some(joined) = strict {
            return Some(Value::Object(joined));
        }
    }
    // Written out, nothing is lost; whether a provider takes it is seen later.
    Some(json!({ "allOf": [ours, theirs] }))
}

fn common_types<'a>(ours: &[&'a str], theirs: &[&'a str]) -> Vec<&'a str> {
    let has = |kinds: &[&str], kind: &str| {
        kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"))
    };
    let mut kept: Vec<&str> = ours
        .iter()
        .copied()
        .filter(|kind| has(theirs, kind))
        .collect();
    for kind in theirs {
        if has(ours, kind) && !kept.contains(kind) {
            kept.push(kind);
        }
    }
    kept
}

fn as_schema(keyword: &str, value: &Value) -> Schema {
    Map::from_iter([(keyword.to_owned(), value.clone())])
}
