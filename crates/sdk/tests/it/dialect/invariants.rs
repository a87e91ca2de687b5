//! What each provider takes, checked over a whole schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolcrib::dialect::{Dialect, Translated};

type Schema = Map<String, Value>;

const TYPES: [&str; 7] = [
    "null", "boolean", "integer", "number", "string", "array", "object",
];
const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];
const STRICT: [&str; 12] = [
    "type",
    "title",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "$defs",
];
const OPENAI: [&str; 9] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "pattern",
    "format",
];
const ANTHROPIC: [&str; 4] = ["minItems", "pattern", "format", "default"];
const GEMINI: [&str; 18] = [
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
    "$ref",
    "$defs",
];

pub(crate) fn check(dialect: Dialect, translated: &Translated) -> Result<(), String> {
    let root = translated.schema().as_object().ok_or("no object")?;
    at_root(root)?;
    let mut waiting: Vec<&Value> = vec![translated.schema()];
    while let Some(schema) = waiting.pop() {
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(_) => continue,
            other => return Err(format!("{other} is no schema")),
        };
        everywhere(root, schema)?;
        let checked = match (dialect, translated.is_strict()) {
            (Dialect::OpenAi, true) => openai(schema),
            (Dialect::Anthropic, true) => anthropic(schema),
            (Dialect::Gemini, false) => gemini(schema),
            (Dialect::Compatible | Dialect::OpenAi | Dialect::Anthropic, false) => Ok(()),
            (Dialect::Compatible | Dialect::Gemini, true) => Err("is never strict".to_owned()),
        };
        checked.map_err(|problem| format!("{problem} in {}", Value::Object(schema.clone())))?;
        names(dialect, schema)?;
        waiting.extend(children(schema));
    }
    match (dialect, translated.is_strict()) {
        (Dialect::OpenAi, true) => openai_size(translated.schema()),
        (Dialect::Anthropic, true) => anthropic_size(root),
        (Dialect::Gemini, _) => gemini_cycles(root),
        _ => Ok(()),
    }
}

fn at_root(root: &Schema) -> Result<(), String> {
    if root.get("type") != Some(&Value::from("object")) || !root.contains_key("properties") {
        return Err("the root is no object".to_owned());
    }
    let refused = [
        "$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "$schema",
    ];
    match refused.iter().find(|keyword| root.contains_key(**keyword)) {
        Some(keyword) => Err(format!("{keyword} at the root")),
        None => Ok(()),
    }
}

fn everywhere(root: &Schema, schema: &Schema) -> Result<(), String> {
    for kind in types(schema) {
        if !TYPES.contains(&kind) {
            return Err(format!("{kind} is no type"));
        }
    }
    if types(schema).contains(&"array") && !schema.contains_key("items") {
        return Err("a list without items".to_owned());
    }
    if let Some(reference) = schema.get("$ref") {
        let name = reference
            .as_str()
            .and_then(|to| to.strip_prefix("#/$defs/"));
        let target = name.and_then(|name| root.get("$defs")?.get(name));
        if target.is_none() {
            return Err(format!("{reference} leads nowhere"));
        }
    }
    Ok(())
}

fn only(schema: &Schema, taken: &[&[&str]]) -> Result<(), String> {
    match schema
        .keys()
        .find(|keyword| !taken.iter().any(|list| list.contains(&keyword.as_str())))
    {
        Some(keyword) => Err(format!("{keyword} is not taken")),
        None => Ok(()),
    }
}

fn closed(schema: &Schema) -> Result<(), String> {
    let is_object = types(schema).contains(&"object") || schema.contains_key("properties");
    if is_object && schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Err("an object is open".to_owned());
    }
    let says = ["type", "anyOf", "$ref"]
        .iter()
        .any(|keyword| schema.contains_key(*keyword));
    if !says {
        return Err("untyped".to_owned());
    }
    Ok(())
}

fn openai(schema: &Schema) -> Result<(), String> {
    only(schema, &[&STRICT, &OPENAI])?;
    closed(schema)?;
    alone(schema)?;
    if let Some(Value::Object(named)) = schema.get("properties") {
        let all: Vec<&str> = named.keys().map(String::as_str).collect();
        if required(schema) != all {
            return Err("not every property is required".to_owned());
        }
    }
    format(schema, &FORMATS)
}

fn anthropic(schema: &Schema) -> Result<(), String> {
    only(schema, &[&STRICT, &ANTHROPIC])?;
    closed(schema)?;
    if schema
        .get("minItems")
        .and_then(Value::as_u64)
        .is_some_and(|least| least > 1)
    {
        return Err("minItems above 1".to_owned());
    }
    let literals = schema.get("enum").and_then(Value::as_array);
    if literals
        .into_iter()
        .flatten()
        .any(|one| one.is_object() || one.is_array())
    {
        return Err("an enum of more than scalars".to_owned());
    }
    let mut formats = FORMATS.to_vec();
    formats.push("uri");
    format(schema, &formats)
}

fn gemini(schema: &Schema) -> Result<(), String> {
    only(schema, &[&GEMINI])?;
    alone(schema)?;
    let literals = schema.get("enum").and_then(Value::as_array);
    if literals
        .into_iter()
        .flatten()
        .any(|one| !one.is_string() && !one.is_number())
    {
        return Err("an enum of more than strings and numbers".to_owned());
    }
    let named = schema.get("properties").and_then(Value::as_object);
    if required(schema)
        .iter()
        .any(|name| named.is_none_or(|named| !named.contains_key(*name)))
    {
        return Err("what is required is not listed".to_owned());
    }
    Ok(())
}

fn alone(schema: &Schema) -> Result<(), String> {
    if schema.contains_key("$ref") && schema.len() > 1 {
        return Err("something stands beside a reference".to_owned());
    }
    Ok(())
}

fn format(schema: &Schema, taken: &[&str]) -> Result<(), String> {
    match schema.get("format").and_then(Value::as_str) {
        Some(format) if !taken.contains(&format) => Err(format!("the format {format}")),
        _ => Ok(()),
    }
}

fn names(dialect: Dialect, schema: &Schema) -> Result<(), String> {
    let named = schema.get("properties").and_then(Value::as_object);
    for name in named.into_iter().flat_map(Map::keys) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_taken = match dialect {
            Dialect::Anthropic => {
                (1..=64).contains(&name.len()) && name.chars().all(|c| word(c) || ".-".contains(c))
            }
            Dialect::Gemini => (1..=64).contains(&name.len()) && name.chars().all(word),
            _ => !name.is_empty() && !name.contains(char::is_control),
        };
        if !is_taken {
            return Err(format!("the name {name:?}"));
        }
    }
    Ok(())
}

fn openai_size(schema: &Value) -> Result<(), String> {
    let (mut properties, mut values, mut waiting) = (0, 0, vec![(schema, 0)]);
    while let Some((schema, level)) = waiting.pop() {
        let Some(schema) = schema.as_object() else {
            continue;
        };
        let level = level + usize::from(schema.contains_key("properties"));
        if level > 10 {
            return Err("more than ten levels".to_owned());
        }
        properties += schema
            .get("properties")
            .and_then(Value::as_object)
            .map_or(0, Map::len);
        values += schema
            .get("enum")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        let defs = schema.get("$defs").and_then(Value::as_object);
        waiting.extend(defs.into_iter().flat_map(Map::values).map(|body| (body, 0)));
        waiting.extend(children(schema).into_iter().filter_map(|child| {
            let is_definition = defs.is_some_and(|d| d.values().any(|b| std::ptr::eq(b, child)));
            (!is_definition).then_some((child, level))
        }));
    }
    if properties > 5_000 || values > 1_000 {
        return Err(format!("{properties} properties, {values} values"));
    }
    Ok(())
}

fn anthropic_size(root: &Schema) -> Result<(), String> {
    if has_cycle(root, |_, _| true) {
        return Err("a recursion".to_owned());
    }
    let mut optional = 0;
    let mut waiting = vec![root];
    while let Some(schema) = waiting.pop() {
        let named = schema
            .get("properties")
            .and_then(Value::as_object)
            .map_or(0, Map::len);
        optional += named - required(schema).len().min(named);
        waiting.extend(children(schema).into_iter().filter_map(Value::as_object));
    }
    if optional > 24 {
        return Err(format!("{optional} optional parameters"));
    }
    Ok(())
}

/// A cycle without an optional property on it can't be unrolled.
fn gemini_cycles(root: &Schema) -> Result<(), String> {
    let stays = |schema: &Schema, name: &str| required(schema).contains(&name);
    if has_cycle(root, stays) {
        return Err("a cycle through required properties".to_owned());
    }
    Ok(())
}

/// Whether a definition leads back to itself, through properties that `follows` allows.
fn has_cycle(root: &Schema, follows: impl Fn(&Schema, &str) -> bool) -> bool {
    let Some(defs) = root.get("$defs").and_then(Value::as_object) else {
        return false;
    };
    let direct = |body: &Value| -> Vec<String> {
        let (mut found, mut waiting) = (Vec::new(), vec![body]);
        while let Some(schema) = waiting.pop() {
            let Some(schema) = schema.as_object() else {
                continue;
            };
            let to = schema.get("$ref").and_then(Value::as_str);
            found.extend(
                to.and_then(|to| to.strip_prefix("#/$defs/"))
                    .map(str::to_owned),
            );
            let named = schema.get("properties").and_then(Value::as_object);
            for (name, inner) in named.into_iter().flatten() {
                if follows(schema, name) {
                    waiting.push(inner);
                }
            }
            waiting.extend(children(schema).into_iter().filter(|child| {
                !named.is_some_and(|named| named.values().any(|one| std::ptr::eq(one, *child)))
            }));
        }
        found
    };
    defs.keys().any(|start| {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![start.clone()];
        while let Some(name) = waiting.pop() {
            for next in defs.get(&name).map(&direct).unwrap_or_default() {
                if next == *start {
                    return true;
                }
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        false
    })
}

fn types(schema: &Schema) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().map(|one| one.as_str().unwrap_or("?")).collect(),
        Some(_) => vec!["?"],
        None => Vec::new(),
    }
}

fn required(schema: &Schema) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn children(schema: &Schema) -> Vec<&Value> {
    let mut found = Vec::new();
    for (keyword, inner) in schema {
        match (keyword.as_str(), inner) {
            (
                "properties" | "$defs" | "patternProperties" | "dependentSchemas",
                Value::Object(map),
            ) => {
                found.extend(map.values());
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => found.extend(list),
            (
                "items"
                | "additionalProperties"
                | "not"
                | "contains"
                | "propertyNames"
                | "if"
                | "then"
                | "else"
                | "unevaluatedItems"
                | "unevaluatedProperties",
                one,
            ) => found.push(one),
            _ => {}
        }
    }
    found
}
