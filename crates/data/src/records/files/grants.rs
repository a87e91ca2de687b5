use std::collections::BTreeSet;

use jiff::Timestamp;

use super::problem::{FileProblem, WorkspaceFile};
use super::reader::FileReader;
use super::yaml::{Kind, Node};
use crate::records::catalog::{Catalog, in_folder};
use crate::records::criteria::input::Criteria;
use crate::records::criteria::path::AllNames;
use crate::records::criteria::resolve::resolve;
use crate::records::criteria::test_parse::Reading;
use crate::records::criteria::variables::Variables;
use crate::records::model::Model;
use crate::records::nearest::did_you_mean;
use crate::records::rights::Operation;
use crate::records::rights::fields::FieldList;
use crate::records::rights::grant::{Grant, Grants, ModelPattern, Role};

const ROLE_KEYS: &[&str] = &["role", "title", "help", "grants"];
const GRANT_KEYS: &[&str] = &[
    "models",
    "operations",
    "where",
    "read_fields",
    "write_fields",
];

/// Reads `permissions/*.yaml` and checks it against the models.
pub(crate) fn load(files: &[WorkspaceFile], catalog: &Catalog) -> Result<Grants, Vec<FileProblem>> {
    let mut problems = Vec::new();
    let mut roles: Vec<Role> = Vec::new();
    for file in files
        .iter()
        .filter(|file| in_folder(&file.path, "permissions"))
    {
        let Some((mut reader, node)) = FileReader::open(file, &mut problems) else {
            continue;
        };
        let Some(role) = read_role(&mut reader, &node, catalog) else {
            continue;
        };
        // Files about one role add up: whatever any of them allows is allowed.
        match roles.iter_mut().find(|other| other.name == role.name) {
            Some(other) => other.grants.extend(role.grants),
            None => roles.push(role),
        }
    }
    if problems.is_empty() {
        return Ok(Grants { roles });
    }
    problems.sort();
    Err(problems)
}

fn read_role(reader: &mut FileReader<'_>, node: &Node, catalog: &Catalog) -> Option<Role> {
    if !reader.keys(node, "a role", ROLE_KEYS) {
        return None;
    }
    reader.text(node, "title");
    reader.text(node, "help");
    let name = reader.required_text(node, "role")?.to_owned();
    let grants = match node
        .get("grants")
        .map(|grants| (&grants.kind, grants.place))
    {
        Some((Kind::List(items), _)) => items
            .iter()
            .filter_map(|item| read_grant(reader, item, catalog))
            .collect(),
        Some((_, place)) => {
            reader.problem(place, "`grants` must be a list");
            Vec::new()
        }
        None => {
            reader.problem(node.place, "`grants` is missing");
            Vec::new()
        }
    };
    Some(Role { name, grants })
}

fn read_grant(reader: &mut FileReader<'_>, node: &Node, catalog: &Catalog) -> Option<Grant> {
    if !reader.keys(node, "a grant", GRANT_KEYS) {
        return None;
    }
    let models = read_models(reader, node, catalog);
    let operations = read_operations(reader, node);
    let about: Vec<&Model> = catalog
        .models()
        .filter(|model| models.iter().any(|pattern| pattern.matches(&model.name)))
        .collect();
    let read_fields = read_field_list(reader, node, "read_fields", &about);
    let write_fields = read_field_list(reader, node, "write_fields", &about);
    let condition = match node.get("where") {
        Some(condition) => Some(read_condition(reader, condition, &about, catalog)?),
        None => None,
    };
    Some(Grant {
        models,
        operations,
        condition,
        read_fields,
        write_fields,
    })
}

fn read_models(reader: &mut FileReader<'_>, node: &Node, catalog: &Catalog) -> Vec<ModelPattern> {
    let Some(models) = node.get("models") else {
        reader.problem(
            node.place,
            "`models` is missing: name models, a package like `crm.*`, or `*`",
        );
        return Vec::new();
    };
    let mut patterns = Vec::new();
    for (text, place) in reader.texts(models, "`models`") {
        let pattern = ModelPattern::parse(text);
        let known = catalog.models().any(|model| pattern.matches(&model.name));
        if !known && pattern != ModelPattern::All {
            let hint = did_you_mean(text, catalog.models().map(|model| model.name.as_str()));
            reader.problem(place, format!("unknown model `{text}`{hint}"));
        }
        patterns.push(pattern);
    }
    patterns
}

fn read_operations(reader: &mut FileReader<'_>, node: &Node) -> BTreeSet<Operation> {
    let Some(operations) = node.get("operations") else {
        reader.problem(
            node.place,
            "`operations` is missing: read, create, update, delete, export, or `*`",
        );
        return BTreeSet::new();
    };
    let mut set = BTreeSet::new();
    for (text, place) in reader.texts(operations, "`operations`") {
        match Operation::parse(text) {
            Some(operation) => {
                set.insert(operation);
            }
            None if text == "*" => set.extend(Operation::ALL),
            None => {
                let hint = did_you_mean(
                    text,
                    Operation::ALL.iter().map(|operation| operation.name()),
                );
                reader.problem(place, format!("unknown operation `{text}`{hint}"));
            }
        }
    }
    set
}

fn read_field_list(
    reader: &mut FileReader<'_>,
    node: &Node,
    key: &str,
    about: &[&Model],
) -> FieldList {
    let Some(list) = node.get(key) else {
        return FieldList::All;
    };
    let (names, except) = match list.get("except") {
        Some(names) => {
            reader.keys(list, &format!("`{key}`"), &["except"]);
            (names, true)
        }
        None => (list, false),
    };
    let mut set = BTreeSet::new();
    for (name, place) in reader.texts(names, &format!("`{key}`")) {
        if !about.iter().any(|model| model.field(name).is_some()) {
            let known = about
                .iter()
                .flat_map(|model| &model.fields)
                .map(|field| field.name.as_str());
            let known: BTreeSet<&str> = known.collect();
            let hint = did_you_mean(name, known);
            reader.problem(place, format!("unknown field `{name}`{hint}"));
        }
        set.insert(name.to_owned());
    }
    if except {
        FieldList::Except(set)
    } else {
        FieldList::Only(set)
    }
}

fn read_condition(
    reader: &mut FileReader<'_>,
    node: &Node,
    about: &[&Model],
    catalog: &Catalog,
) -> Option<Criteria> {
    let criteria: Criteria = match serde_json::from_value(node.to_json()) {
        Ok(criteria) => criteria,
        Err(error) => {
            reader.problem(node.place, format!("`where` must be a filter: {error}"));
            return None;
        }
    };
    // Relative dates are read again, with the time of each call.
    let reading = Reading {
        now: Timestamp::UNIX_EPOCH,
        variables: Variables::Check,
    };
    for model in about {
        for problem in resolve(&AllNames(catalog), model, &criteria, "", reading)
            .err()
            .into_iter()
            .flatten()
        {
            reader.problem(node.place_at(&problem.pointer), problem.message);
        }
    }
    Some(criteria)
}
