//! Values that a schema may take, made up from a seed.

use serde_json::{Map, Value, json};

/// A small generator of numbers, the same for the same seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit.max(1) as u64).unwrap()
    }

    fn flips(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// A value for `schema`; most are valid, which the caller looks at. None where the schema asks
/// for an endless one.
pub(crate) fn sample(schema: &Value, dice: &mut Dice) -> Option<Value> {
    value(schema, schema, dice, 0)
}

fn value(schema: &Value, root: &Value, dice: &mut Dice, depth: usize) -> Option<Value> {
    if depth > 24 || *schema == false {
        return None;
    }
    let Some(object) = schema.as_object() else {
        return Some(json!("anything"));
    };
    if let Some(to) = object.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(to.trim_start_matches('#'))?;
        return value(target, root, dice, depth + 1);
    }
    if let Some(only) = object.get("const") {
        return Some(only.clone());
    }
    if let Some(Value::Array(all)) = object.get("enum") {
        return all.get(dice.below(all.len())).cloned();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = object.get(keyword) {
            let first = dice.below(branches.len());
            let picked = (0..branches.len()).find_map(|step| {
                let branch = &branches[(first + step) % branches.len()];
                value(branch, root, dice, depth + 1)
            })?;
            return merged(object, picked, root, dice, depth);
        }
    }
    if let Some(Value::Array(parts)) = object.get("allOf") {
        let mut picked = json!({});
        for part in parts {
            let next = value(part, root, dice, depth + 1)?;
            picked = join(picked, next);
        }
        return merged(object, picked, root, dice, depth);
    }
    typed(object, root, dice, depth)
}

fn merged(
    object: &Map<String, Value>,
    picked: Value,
    root: &Value,
    dice: &mut Dice,
    depth: usize,
) -> Option<Value> {
    if !object.contains_key("properties") {
        return Some(picked);
    }
    Some(join(picked, typed(object, root, dice, depth)?))
}

fn join(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            for (name, value) in other {
                one.entry(name).or_insert(value);
            }
            Value::Object(one)
        }
        (Value::Object(one), other) if one.is_empty() => other,
        (one, _) => one,
    }
}

fn typed(
    object: &Map<String, Value>,
    root: &Value,
    dice: &mut Dice,
    depth: usize,
) -> Option<Value> {
    let kinds: Vec<&str> = match object.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ if object.contains_key("properties") => vec!["object"],
        _ => vec!["string"],
    };
    let limit = |keyword: &str| object.get(keyword).and_then(Value::as_i64);
    let made = match kinds[dice.below(kinds.len())] {
        "null" => Value::Null,
        "boolean" => json!(dice.flips()),
        "integer" | "number" => {
            let least = limit("minimum").unwrap_or(0);
            let most = limit("maximum").unwrap_or(least + 9);
            let spread = usize::try_from((most - least).max(0)).unwrap() + 1;
            json!(least + i64::try_from(dice.below(spread)).unwrap())
        }
        "string" => {
            let least = usize::try_from(limit("minLength").unwrap_or(0)).unwrap();
            json!("x".repeat(least.max(dice.below(4)).min(8)))
        }
        "array" => {
            let least = usize::try_from(limit("minItems").unwrap_or(0)).unwrap();
            let most = usize::try_from(limit("maxItems").unwrap_or(3)).unwrap();
            let count = least.max(if depth > 8 { 0 } else { dice.below(most + 1) });
            let anything = json!({ "type": "string" });
            let items = object.get("items").unwrap_or(&anything);
            let made: Option<Vec<Value>> = (0..count)
                .map(|_| value(items, root, dice, depth + 1))
                .collect();
            Value::Array(made?)
        }
        _ => properties(object, root, dice, depth)?,
    };
    Some(made)
}

fn properties(
    object: &Map<String, Value>,
    root: &Value,
    dice: &mut Dice,
    depth: usize,
) -> Option<Value> {
    let required: Vec<&str> = object
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut made = Map::new();
    for (name, schema) in object
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let is_required = required.contains(&name.as_str());
        if is_required || (depth < 8 && dice.flips()) {
            match value(schema, root, dice, depth + 1) {
                Some(inner) => made.insert(name.clone(), inner),
                None if is_required => return None,
                None => None,
            };
        }
    }
    if let Some(more) = object
        .get("additionalProperties")
        .filter(|more| more.is_object())
    {
        for name in ["extra", "other"].into_iter().take(dice.below(3)) {
            if let Some(inner) = value(more, root, dice, depth + 1) {
                made.insert(name.to_owned(), inner);
            }
        }
    }
    Some(Value::Object(made))
}
