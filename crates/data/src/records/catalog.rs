use std::collections::BTreeMap;

use super::files::model::{PlacedModel, read};
use super::files::problem::{FileProblem, WorkspaceFile};
use super::files::reader::FileReader;
use super::model::{Field, FieldType, Model};
use super::nearest::did_you_mean;

/// All data models of one organisation, checked against each other.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    models: BTreeMap<String, Model>,
}

impl Catalog {
    /// Reads `models/*.yaml`, one model a file; other files are left alone.
    ///
    /// # Errors
    /// All problems of all files at once, by file and place.
    pub fn load(files: &[WorkspaceFile]) -> Result<Self, Vec<FileProblem>> {
        let mut problems = Vec::new();
        let mut placed: Vec<(&WorkspaceFile, PlacedModel)> = Vec::new();
        for file in files.iter().filter(|file| in_folder(&file.path, "models")) {
            if let Some((mut reader, node)) = FileReader::open(file, &mut problems)
                && let Some(model) = read(&mut reader, node)
            {
                placed.push((file, model));
            }
        }
        let mut models: BTreeMap<String, Model> = BTreeMap::new();
        for (file, model) in &placed {
            if models
                .insert(model.model.name.clone(), model.model.clone())
                .is_some()
            {
                let message = format!("the model `{}` is declared twice", model.model.name);
                problems.push(at(file, model.name_at.line, model.name_at.column, message));
            }
        }
        let catalog = Self { models };
        for (file, model) in &placed {
            catalog.check_relations(file, model, &mut problems);
        }
        if problems.is_empty() {
            return Ok(catalog);
        }
        problems.sort();
        Err(problems)
    }

    /// The model of that name.
    #[must_use]
    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.get(name)
    }

    /// All models, by name.
    pub fn models(&self) -> impl Iterator<Item = &Model> {
        self.models.values()
    }

    /// The model that the field's values name a record of.
    pub(super) fn target(&self, field: &Field) -> Option<&Model> {
        field.kind.target().and_then(|name| self.model(name))
    }

    fn check_relations(
        &self,
        file: &WorkspaceFile,
        placed: &PlacedModel,
        problems: &mut Vec<FileProblem>,
    ) {
        for field in &placed.model.fields {
            let (target, inverse) = match &field.kind {
                FieldType::ManyToOne { model } => (model, None),
                FieldType::OneToMany { model, inverse } => (model, Some(inverse)),
                _ => continue,
            };
            let place = placed
                .node
                .place_at(&format!("/fields/{}/model", field.name));
            let Some(other) = self.model(target) else {
                let hint = did_you_mean(target, self.models.keys().map(String::as_str));
                problems.push(at(
                    file,
                    place.line,
                    place.column,
                    format!("unknown model `{target}`{hint}"),
                ));
                continue;
            };
            let Some(inverse) = inverse else { continue };
            let points_back = other
                .field(inverse)
                .is_some_and(|back| back.kind.target() == Some(placed.model.name.as_str()));
            if !points_back {
                let place = placed
                    .node
                    .place_at(&format!("/fields/{}/inverse", field.name));
                let message = format!(
                    "`{inverse}` must be a many_to_one field of `{target}` that points to `{}`",
                    placed.model.name
                );
                problems.push(at(file, place.line, place.column, message));
            }
        }
    }
}

fn at(file: &WorkspaceFile, line: usize, column: usize, message: String) -> FileProblem {
    FileProblem {
        path: file.path.clone(),
        line,
        column,
        message,
    }
}

/// Whether the path is a YAML file directly in that folder of the workspace.
pub(super) fn in_folder(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'))
        .is_some_and(|name| {
            !name.contains('/') && (name.ends_with(".yaml") || name.ends_with(".yml"))
        })
}
