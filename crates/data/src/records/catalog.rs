use std::collections::BTreeMap;

use super::files::mapping;
use super::files::model::{PlacedModel, read};
use super::files::problem::{FileProblem, WorkspaceFile};
use super::files::reader::FileReader;
use super::model::{Field, FieldType, Model};
use super::nearest::did_you_mean;
use super::sql::Dialect;
use super::sql::column::ColumnType;

/// The name of the platform's own database.
pub const MAIN: &str = "main";

/// The databases that models may be in, by the names of their connections.
pub type Databases = BTreeMap<String, Database>;

/// What a model has to know of the database that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Database {
    /// Its language.
    pub dialect: Dialect,
    /// Whether it may only be read.
    pub read_only: bool,
}

/// All data models of one organisation, checked against each other.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    models: BTreeMap<String, Model>,
    /// The file of each model.
    paths: BTreeMap<String, String>,
}

impl Catalog {
    /// Reads `models/*.yaml`, one model a file; other files are left alone.
    ///
    /// # Errors
    /// All problems of all files at once, by file and place.
    pub fn load(files: &[WorkspaceFile]) -> Result<Self, Vec<FileProblem>> {
        Self::load_with(files, &Databases::new())
    }

    /// Reads models as [`Catalog::load`] does, also those in tables of these databases, which are
    /// known by the names of their connections. Such a model may stand in a folder within `models`.
    ///
    /// # Errors
    /// All problems of all files at once, by file and place.
    pub fn load_with(
        files: &[WorkspaceFile],
        databases: &Databases,
    ) -> Result<Self, Vec<FileProblem>> {
        let mut problems = Vec::new();
        let mut placed: Vec<(&WorkspaceFile, PlacedModel)> = Vec::new();
        for file in files.iter().filter(|file| below(&file.path, "models")) {
            if let Some((mut reader, node)) = FileReader::open(file, &mut problems)
                && let Some(model) = read(&mut reader, node, databases)
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
        relate(&mut models);
        settle(&mut models, databases);
        let path = |(file, placed): &(&WorkspaceFile, PlacedModel)| {
            (placed.model.name.clone(), file.path.clone())
        };
        let paths = placed.iter().map(path).collect();
        let catalog = Self { models, paths };
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

    /// The file that declares the model, by its path in the workspace.
    #[must_use]
    pub fn path_of(&self, name: &str) -> Option<&str> {
        self.paths.get(name).map(String::as_str)
    }

    /// Whether any field of any model is sensitive.
    pub(super) fn has_sensitive(&self) -> bool {
        let mut fields = self.models().flat_map(|model| &model.fields);
        fields.any(|field| field.rules.sensitive)
    }

    /// All models, by name.
    pub fn models(&self) -> impl Iterator<Item = &Model> {
        self.models.values()
    }

    /// Whether the records of that model can be read alone, whatever the grants.
    pub(super) fn is_read_only(&self, name: &str) -> bool {
        let mapping = self.model(name).and_then(|model| model.mapping.as_ref());
        mapping.is_some_and(|mapping| mapping.read_only)
    }

    /// The models in tables that Toolcrib keeps itself.
    pub(super) fn own(&self) -> impl Iterator<Item = &Model> {
        self.models().filter(|model| model.mapping.is_none())
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
                FieldType::ManyToOne { model, .. } => (model, None),
                FieldType::OneToMany { model, inverse } => (model, Some(inverse)),
                FieldType::ManyToMany { model, .. } => (model, None),
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
            if other.connection() != placed.model.connection() {
                let message =
                    format!("`{target}` is in another database; relations stay within one");
                problems.push(at(file, place.line, place.column, message));
                continue;
            }
            if field.is_link() {
                check_link(file, placed, (field, other), problems);
            }
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

/// Checks where a many_to_many field keeps its pairs.
fn check_link(
    file: &WorkspaceFile,
    placed: &PlacedModel,
    (field, other): (&Field, &Model),
    problems: &mut Vec<FileProblem>,
) {
    let FieldType::ManyToMany {
        inverse, through, ..
    } = &field.kind
    else {
        return;
    };
    let model = &placed.model;
    let points_back = |name: &String| {
        other.field(name).is_some_and(|back| {
            matches!(&back.kind, FieldType::ManyToMany { model: target, inverse: None, .. } if *target == model.name)
        })
    };
    let has_key = |model: &Model| match &model.mapping {
        Some(mapping) => mapping.key.len() == 1,
        None => true,
    };
    let wrong = match (&model.mapping, through, inverse) {
        (None, Some(_), _) => Some((
            "through",
            "`through` is for a model with a `connection`; here Toolcrib keeps the pairs"
                .to_owned(),
        )),
        (Some(_), None, _) => Some((
            "type",
            "needs `through`: the table of the pairs, as { table, column, target_column }"
                .to_owned(),
        )),
        (Some(_), Some(_), Some(_)) => Some((
            "inverse",
            "with `through` there is no `inverse`: each side names the table".to_owned(),
        )),
        (None, None, Some(name)) if !points_back(name) => Some((
            "inverse",
            format!(
                "`{name}` must be a many_to_many field of `{}` that leads to `{}` and has no `inverse` itself",
                other.name, model.name
            ),
        )),
        _ if !has_key(model) || !has_key(other) => Some((
            "type",
            "needs models with a key of one column on both sides".to_owned(),
        )),
        _ => None,
    };
    if let Some((key, message)) = wrong {
        let place = format!("/fields/{}/{key}", field.name);
        let place = placed.node.place_at(&place);
        problems.push(at(file, place.line, place.column, message));
    }
}

/// Tells each relation what the ids of the other model are.
fn relate(models: &mut BTreeMap<String, Model>) {
    let keys: BTreeMap<String, _> = models
        .iter()
        .map(|(name, model)| (name.clone(), model.key_type()))
        .collect();
    let mapped = models.values_mut().filter(|model| model.mapping.is_some());
    for model in mapped {
        let dialect = model.dialect();
        for field in &mut model.fields {
            let key = field.kind.leads_to().and_then(|target| keys.get(target));
            if let Some(key) = key.copied() {
                mapping::relate(field, dialect, key);
            }
        }
    }
}

/// Tells the models in tables of our own which database these are in.
fn settle(models: &mut BTreeMap<String, Model>, databases: &Databases) {
    let home = databases.get(MAIN).map(|database| database.dialect);
    let home = home.unwrap_or_default();
    if home == Dialect::Sqlite {
        return;
    }
    for model in models.values_mut().filter(|model| model.mapping.is_none()) {
        model.home = home;
        // A file keeps its own way: two columns, of which one tells of the other.
        for field in model.fields.iter_mut().filter(|field| !field.is_file()) {
            field.column_type = ColumnType::usual(home, &field.kind);
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

/// Whether the path is a YAML file in that folder of the workspace, or in a folder within it.
pub(super) fn below(path: &str, folder: &str) -> bool {
    match path
        .strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'))
    {
        Some(rest) => match rest.split_once('/') {
            Some((inner, name)) => in_folder(&format!("{inner}/{name}"), inner),
            None => in_folder(path, folder),
        },
        None => false,
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
