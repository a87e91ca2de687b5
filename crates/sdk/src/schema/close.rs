//! Closing objects that say which properties they have.

use serde_json::Value;

use super::walk::{Holds, Schema, holds};

/// Keywords whose schemas look at the same object as the schema they stand in.
const SIDES: [&str; 8] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
];

/// Whether a schema alone decides about an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Alone,
    WithOthers,
}

/// Forbids unknown properties in every object that lists its properties and says nothing else.
/// What is a free-form map stays open. Where several schemas list the properties of one object,
/// what none of them lists is forbidden.
///
/// ```
/// let mut schema = serde_json::json!({ "type": "object", "properties": {} });
/// toolcrib::schema::close(&mut schema);
/// assert_eq!(schema["additionalProperties"], false);
/// ```
pub fn close(schema: &mut Value) {
    let mut waiting = vec![(schema, Says::Alone)];
    while let Some((schema, says)) = waiting.pop() {
        let Value::Object(object) = schema else {
            continue;
        };
        let sides = close_one(object, says);
        for (keyword, inner) in object.iter_mut() {
            let says = if SIDES.contains(&keyword.as_str()) {
                sides
            } else {
                Says::Alone
            };
            match (holds(keyword), inner) {
                (Holds::One, one) => waiting.push((one, says)),
                (Holds::List, Value::Array(list)) => {
                    waiting.extend(list.iter_mut().map(|one| (one, says)));
                }
                (Holds::Map, Value::Object(map)) => {
                    waiting.extend(map.values_mut().map(|one| (one, says)));
                }
                _ => {}
            }
        }
    }
}

/// Closes one object, and tells whether the schemas beside it decide alone.
fn close_one(object: &mut Schema, says: Says) -> Says {
    let lists = object.contains_key("properties");
    let is_choice = SIDES
        .iter()
        .all(|side| matches!(*side, "anyOf" | "oneOf") || !object.contains_key(*side));
    let is_combined = SIDES.iter().any(|side| object.contains_key(*side));
    let is_decided =
        object.contains_key("additionalProperties") || object.contains_key("unevaluatedProperties");
    if says == Says::Alone && lists && !is_decided {
        let keyword = if is_combined {
            "unevaluatedProperties"
        } else {
            "additionalProperties"
        };
        object.insert(keyword.into(), Value::Bool(false));
    }
    if says == Says::Alone && is_choice && !lists {
        Says::Alone
    } else {
        Says::WithOthers
    }
}
