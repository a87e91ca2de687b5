use std::collections::BTreeSet;

use super::{Restriction, Restrictions};
use crate::records::catalog::Catalog;
use crate::records::files::problem::{FileProblem, WorkspaceFile};
use crate::records::files::reader::FileReader;
use crate::records::files::yaml::{Kind, Node};
use crate::records::model::Model;
use crate::records::nearest::did_you_mean;

const FILE_KEYS: &[&str] = &["restrictions"];
const RULE_KEYS: &[&str] = &["model", "fields", "providers"];

impl Restrictions {
    /// Reads `restrictions.yaml` and checks it against the models and the names of providers.
    ///
    /// # Errors
    /// All problems at once, by place.
    pub fn load(
        file: &WorkspaceFile,
        catalog: &Catalog,
        providers: &[&str],
    ) -> Result<Self, Vec<FileProblem>> {
        let mut problems = Vec::new();
        let mut rules = Vec::new();
        if let Some((mut reader, node)) = FileReader::open(file, &mut problems) {
            for rule in listed(&mut reader, &node) {
                rules.extend(read_rule(&mut reader, rule, catalog, providers));
            }
        }
        if problems.is_empty() {
            return Ok(Self { rules });
        }
        problems.sort();
        Err(problems)
    }
}

fn listed<'n>(reader: &mut FileReader<'_>, node: &'n Node) -> &'n [Node] {
    if !reader.keys(node, "the file", FILE_KEYS) {
        return &[];
    }
    match node
        .get("restrictions")
        .map(|list| (&list.kind, list.place))
    {
        Some((Kind::List(rules), _)) => rules,
        Some((_, place)) => {
            reader.problem(place, "`restrictions` must be a list");
            &[]
        }
        None => {
            reader.problem(node.place, "`restrictions` is missing");
            &[]
        }
    }
}

fn read_rule(
    reader: &mut FileReader<'_>,
    node: &Node,
    catalog: &Catalog,
    providers: &[&str],
) -> Option<Restriction> {
    if !reader.keys(node, "a restriction", RULE_KEYS) {
        return None;
    }
    let providers = names(reader, node, "providers", providers, "provider");
    let name = reader.required_text(node, "model")?;
    let Some(model) = catalog.model(name) else {
        let hint = did_you_mean(name, catalog.models().map(|model| model.name.as_str()));
        let place = node.place_at("/model");
        reader.problem(place, format!("unknown model `{name}`{hint}"));
        return None;
    };
    let known = names_of(model);
    Some(Restriction {
        model: model.name.clone(),
        fields: names(reader, node, "fields", &known, "field"),
        providers,
    })
}

fn names_of(model: &Model) -> Vec<&str> {
    model.holding().map(|field| field.name.as_str()).collect()
}

/// The names under `key`, each one of the known; none where there is no such key.
fn names(
    reader: &mut FileReader<'_>,
    node: &Node,
    key: &str,
    known: &[&str],
    what: &str,
) -> Option<BTreeSet<String>> {
    let list = node.get(key)?;
    let mut found = BTreeSet::new();
    for (name, place) in reader.texts(list, &format!("`{key}`")) {
        if known.contains(&name) {
            found.insert(name.to_owned());
        } else {
            let hint = did_you_mean(name, known.iter().copied());
            reader.problem(place, format!("unknown {what} `{name}`{hint}"));
        }
    }
    if matches!(&list.kind, Kind::List(items) if items.is_empty()) {
        // Of an empty list nobody can tell whether it means none or all.
        reader.problem(
            list.place,
            format!("`{key}` names nothing; leave it out for all"),
        );
    }
    Some(found)
}
