use std::collections::{BTreeMap, BTreeSet};

use super::{LinkedModel, ModelFunction};
use crate::records::catalog::{Catalog, in_folder};
use crate::records::files::problem::{FileProblem, WorkspaceFile};
use crate::records::files::reader::FileReader;
use crate::records::files::yaml::Node;
use crate::records::nearest::did_you_mean;

const KEYS: &[&str] = &["model", "functions"];
/// The longest name of a tool.
const NAME: usize = 64;

impl LinkedModel {
    /// Reads `tools/*.yaml`, one linked model a file; other files are left alone. Names that are
    /// `taken` are no names for functions.
    ///
    /// # Errors
    /// All problems of all files at once, by file and place.
    pub fn load(
        files: &[WorkspaceFile],
        catalog: &Catalog,
        taken: &[&str],
    ) -> Result<Vec<Self>, Vec<FileProblem>> {
        let mut problems = Vec::new();
        let mut linked: Vec<Self> = Vec::new();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for name in taken {
            names.insert((*name).to_owned(), "a built-in tool".to_owned());
        }
        for file in files.iter().filter(|file| in_folder(&file.path, "tools")) {
            let Some((mut reader, node)) = FileReader::open(file, &mut problems) else {
                continue;
            };
            let Some(model) = read(&mut reader, &node, catalog) else {
                continue;
            };
            for name in model.tools() {
                let place = node.place_at("/model");
                if name.len() > NAME {
                    let message =
                        format!("`{name}` is too long for a tool: at most {NAME} letters");
                    reader.problem(place, message);
                }
                let of = format!("a function of `{}`", model.model);
                if let Some(other) = names.insert(name.clone(), of) {
                    reader.problem(place, format!("`{name}` is {other} already"));
                }
            }
            linked.push(model);
        }
        if problems.is_empty() {
            return Ok(linked);
        }
        problems.sort();
        Err(problems)
    }
}

fn read(reader: &mut FileReader<'_>, node: &Node, catalog: &Catalog) -> Option<LinkedModel> {
    if !reader.keys(node, "a linked data model", KEYS) {
        return None;
    }
    let name = reader.required_text(node, "model")?;
    if catalog.model(name).is_none() {
        let hint = did_you_mean(name, catalog.models().map(|model| model.name.as_str()));
        let place = node.place_at("/model");
        reader.problem(place, format!("unknown model `{name}`{hint}"));
        return None;
    }
    let functions = match node.get("functions") {
        None => ModelFunction::ALL.into(),
        Some(list) => read_functions(reader, list),
    };
    let fixed: BTreeSet<ModelFunction> = functions
        .iter()
        .copied()
        .filter(|function| is_fixed(*function) && catalog.is_read_only(name))
        .collect();
    let is_named = node.get("functions").is_some();
    if let Some(function) = fixed.first().filter(|_| is_named) {
        let place = node.place_at("/functions");
        reader.problem(
            place,
            format!("`{name}` is read only, so there is no `{function}`"),
        );
    }
    Some(LinkedModel {
        model: name.to_owned(),
        functions: functions.difference(&fixed).copied().collect(),
    })
}

fn is_fixed(function: ModelFunction) -> bool {
    matches!(
        function,
        ModelFunction::Create | ModelFunction::Update | ModelFunction::Delete
    )
}

fn read_functions(reader: &mut FileReader<'_>, list: &Node) -> BTreeSet<ModelFunction> {
    let mut functions = BTreeSet::new();
    for (text, place) in reader.texts(list, "`functions`") {
        let mut all = ModelFunction::ALL.into_iter();
        match all.find(|function| function.name() == text) {
            Some(function) => drop(functions.insert(function)),
            None => {
                let known = ModelFunction::ALL.map(ModelFunction::name);
                let hint = did_you_mean(text, known);
                reader.problem(place, format!("unknown function `{text}`{hint}"));
            }
        }
    }
    functions
}
