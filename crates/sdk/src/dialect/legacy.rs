//! Keywords of older drafts, read as what they became.

use serde_json::Value;

use crate::schema::walk::Schema;

/// Up to draft 7 nothing beside a `$ref` counted.
pub(super) fn ignores_siblings(root: &Value) -> bool {
    root.get("$schema")
        .and_then(Value::as_str)
        .is_some_and(|draft| {
            ["draft-03", "draft-04", "draft-06", "draft-07"]
                .iter()
                .any(|old| draft.contains(old))
        })
}

/// The keywords of a schema under their present names. Definitions are left out: they are taken
/// in where something refers to them.
pub(super) fn modern(schema: &Schema, old_references: bool) -> Vec<(&str, &Value)> {
    let alone = old_references && schema.get("$ref").is_some_and(Value::is_string);
    let is_tuple = schema.get("items").is_some_and(Value::is_array);
    let mut found = Vec::with_capacity(schema.len());
    for (keyword, inner) in schema {
        let keyword = match keyword.as_str() {
            "$defs" | "definitions" | "type" => continue,
            "$recursiveRef" | "$dynamicRef" if !schema.contains_key("$ref") => "$ref",
            "items" if is_tuple => "prefixItems",
            "additionalItems" if is_tuple => "items",
            "additionalItems" => continue,
            "dependencies" => match inner.as_object() {
                Some(map) if map.values().all(Value::is_array) => "dependentRequired",
                _ => "dependentSchemas",
            },
            other => other,
        };
        let counts = !alone || matches!(keyword, "$ref" | "title" | "description");
        if counts {
            found.push((keyword, inner));
        }
    }
    // The type stands first; what it says is checked afterwards.
    if let (Some(kind), false) = (schema.get("type"), alone) {
        found.insert(0, ("type", kind));
    }
    found
}

/// Draft 4 wrote `exclusiveMinimum: true` beside `minimum`.
pub(super) fn numbers(raw: &Schema, cleaned: &mut Schema) {
    for (flag, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if raw.get(flag) == Some(&Value::Bool(true))
            && let Some(limit) = cleaned.shift_remove(bound)
        {
            cleaned.insert(flag.to_owned(), limit);
        }
    }
}
