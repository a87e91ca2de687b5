use std::collections::BTreeMap;

use serde_json::Value;

use super::{QueryParam, SavedQuery, literal, problems_of};
use crate::records::access::Access;
use crate::records::catalog::in_folder;
use crate::records::files::model::{is_name, to_title};
use crate::records::files::problem::{FileProblem, WorkspaceFile};
use crate::records::files::reader::FileReader;
use crate::records::files::yaml::{Kind, Node, Place};
use crate::records::model::FieldType;
use crate::records::nearest::did_you_mean;
use crate::records::query::input::QueryInput;
use crate::records::query::params::{Param, Params};
use crate::records::query::typed::decimal;

const QUERY_KEYS: &[&str] = &["name", "title", "description", "params", "query"];
const PARAM_KEYS: &[&str] = &["type", "title", "required", "default"];
/// What a parameter can be. An option of a selection is a string, the id of a record an integer.
const TYPES: &[(&str, FieldType)] = &[
    ("string", FieldType::String),
    ("integer", FieldType::Integer),
    ("float", FieldType::Float),
    ("boolean", FieldType::Boolean),
    ("date", FieldType::Date),
    ("time", FieldType::Time),
    ("datetime", FieldType::Datetime),
    ("uuid", FieldType::Uuid),
];
/// The decimals of a decimal parameter that has no value.
const DECIMALS: u32 = 6;
/// The longest name of a query or parameter.
const NAME_LENGTH: usize = 60;

/// Reads `queries/*.yaml` and checks it against the models.
pub(super) fn load(
    files: &[WorkspaceFile],
    access: &Access,
) -> Result<BTreeMap<String, SavedQuery>, Vec<FileProblem>> {
    let mut problems = Vec::new();
    let mut queries = BTreeMap::new();
    for file in files.iter().filter(|file| in_folder(&file.path, "queries")) {
        let Some((mut reader, node)) = FileReader::open(file, &mut problems) else {
            continue;
        };
        let Some(query) = read_query(&mut reader, &node, access) else {
            continue;
        };
        if queries.contains_key(&query.name) {
            let message = format!("the query `{}` is there twice", query.name);
            reader.problem(node.place_at("/name"), message);
        }
        queries.insert(query.name.clone(), query);
    }
    if problems.is_empty() {
        return Ok(queries);
    }
    problems.sort();
    Err(problems)
}

/// One query, checked for whom `access` is.
pub(super) fn read_query(
    reader: &mut FileReader<'_>,
    node: &Node,
    access: &Access,
) -> Option<SavedQuery> {
    if !reader.keys(node, "a query", QUERY_KEYS) {
        return None;
    }
    let params = read_params(reader, node, access);
    let description = reader.text(node, "description").map(str::to_owned);
    let title = reader.text(node, "title").map(str::to_owned);
    let name = reader.required_text(node, "name");
    let name = name.map(|name| named(reader, name, node.place_at("/name")));
    let Some(written) = node.get("query") else {
        reader.problem(node.place, "`query` is missing");
        return None;
    };
    let query: QueryInput = match serde_json::from_value(written.to_json()) {
        Ok(query) => query,
        Err(error) => {
            let told = error.to_string();
            let place = place_of(written, &told).unwrap_or(written.place);
            reader.problem(place, format!("`query` can't be read: {told}"));
            return None;
        }
    };
    let unset = params.iter().map(|param| {
        let (kind, value) = (param.kind.clone(), None);
        (param.name.clone(), Param { kind, value })
    });
    for problem in problems_of(access, &query, &Params::new(unset.collect())) {
        reader.problem(written.place_at(&problem.pointer), problem.message);
    }
    let name = name?;
    Some(SavedQuery {
        title: title.unwrap_or_else(|| to_title(&name)),
        name,
        description,
        params,
        query,
    })
}

fn named(reader: &mut FileReader<'_>, name: &str, place: Place) -> String {
    if !is_name(name) || name.len() > NAME_LENGTH {
        reader.problem(
            place,
            format!("`{name}` is no name: use a-z, 0-9 and _, beginning with a letter"),
        );
    }
    name.to_owned()
}

fn read_params(reader: &mut FileReader<'_>, node: &Node, access: &Access) -> Vec<QueryParam> {
    let Some(params) = node.get("params") else {
        return Vec::new();
    };
    let Kind::Map(entries) = &params.kind else {
        reader.problem(
            params.place,
            "`params` must be a map from names to parameters",
        );
        return Vec::new();
    };
    entries
        .iter()
        .filter_map(|(key, value)| read_param(reader, key, value, access))
        .collect()
}

fn read_param(
    reader: &mut FileReader<'_>,
    key: &Node,
    node: &Node,
    access: &Access,
) -> Option<QueryParam> {
    let name = named(reader, key.as_text()?, key.place);
    if !reader.keys(node, "a parameter", PARAM_KEYS) {
        return None;
    }
    let kind = read_kind(reader, node)?;
    let default: Option<Value> = node.get("default").map(Node::to_json);
    if let Some(Err(message)) = default
        .as_ref()
        .map(|value| literal::check(&kind, value, access.clock.now()))
    {
        reader.problem(node.place_at("/default"), format!("`default` {message}"));
    }
    Some(QueryParam {
        title: reader
            .text(node, "title")
            .map_or_else(|| to_title(&name), str::to_owned),
        name,
        kind,
        required: reader.flag(node, "required"),
        default,
    })
}

fn read_kind(reader: &mut FileReader<'_>, node: &Node) -> Option<FieldType> {
    let name = reader.required_text(node, "type")?;
    if name == "decimal" {
        return Some(decimal(DECIMALS));
    }
    let known = TYPES.iter().find(|(known, _)| *known == name);
    if known.is_none() {
        let names = TYPES.iter().map(|(known, _)| *known).chain(["decimal"]);
        let hint = did_you_mean(name, names);
        reader.problem(
            node.place_at("/type"),
            format!("unknown type `{name}` of a parameter{hint}"),
        );
    }
    known.map(|(_, kind)| kind.clone())
}

/// The place of the first thing that the message names.
fn place_of(node: &Node, told: &str) -> Option<Place> {
    let name = told.split('`').nth(1)?;
    match &node.kind {
        Kind::Map(entries) => entries.iter().find_map(|(key, value)| {
            if key.as_text() == Some(name) {
                Some(key.place)
            } else {
                place_of(value, told)
            }
        }),
        Kind::List(items) => items.iter().find_map(|item| place_of(item, told)),
        Kind::Text(text) if text == name => Some(node.place),
        _ => None,
    }
}
