//! The columns that props name: those of the query, and no others.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolcrib::nearest;

use super::widget;

/// Checks that each column that the props name is one of the answer's; the text tells every
/// problem.
pub(super) fn check(name: &str, props: &Map<String, Value>, answer: &Value) -> Result<(), String> {
    let columns = answer.get("columns").and_then(Value::as_array);
    let known: BTreeSet<&str> = columns
        .into_iter()
        .flatten()
        .filter_map(|column| column.get("name")?.as_str())
        .collect();
    let mut named = Vec::new();
    if let Some(definition) = widget::definition(name) {
        let props = Value::Object(props.clone());
        find(definition, &props, "/props", &mut named);
    }
    let unknown: Vec<String> = named
        .into_iter()
        .filter(|(_, column)| !known.contains(column.as_str()))
        .map(|(pointer, column)| format!("\n- {pointer}: {}", problem(&column, &known)))
        .collect();
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "The widget can't be drawn from this query.{}",
            unknown.concat()
        ))
    }
}

fn problem(column: &str, known: &BTreeSet<&str>) -> String {
    let shown: String = column.chars().take(80).collect();
    let near = nearest(column, known.iter().copied(), 3);
    let rest = known.iter().copied().filter(|name| !near.contains(name));
    let listed: Vec<&str> = near.iter().copied().chain(rest).take(40).collect();
    format!(
        "the query has no column `{shown}`; there are: {}",
        listed.join(", ")
    )
}

/// Gathers the columns that a value names where its schema says that it names one.
fn find(schema: &Value, value: &Value, pointer: &str, named: &mut Vec<(String, String)>) {
    if let Some(name) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|to| to.strip_prefix("#/$defs/"))
    {
        if let ("column", Some(column)) = (name, value.as_str()) {
            named.push((pointer.to_owned(), column.to_owned()));
        }
        if let Some(definition) = widget::definition(name) {
            find(definition, value, pointer, named);
        }
    }
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                if let Some(property) = schema.get("properties").and_then(|all| all.get(key)) {
                    find(property, inner, &format!("{pointer}/{key}"), named);
                }
            }
        }
        Value::Array(items) => {
            let Some(of) = schema.get("items") else {
                return;
            };
            for (at, item) in items.iter().enumerate() {
                find(of, item, &format!("{pointer}/{at}"), named);
            }
        }
        _ => {}
    }
    for branches in ["anyOf", "oneOf", "allOf"] {
        let branches = schema.get(branches).and_then(Value::as_array);
        for branch in branches.into_iter().flatten() {
            find(branch, value, pointer, named);
        }
    }
}
