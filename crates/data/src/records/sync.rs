//! Keeps the model files of a connection in step with its database: new tables and columns are
//! taken up, and what changed or went is told, for somebody to decide.

mod compare;
mod names;
mod pairs;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use self::names::{Taken, name_of};
use self::write::{ModelText, field_line};
use super::catalog::{Catalog, below};
use super::files::problem::WorkspaceFile;
use super::files::reader::FileReader;
use super::model::{FieldType, Model};
use super::sql::column::ColumnType;
use crate::connections::introspect::{Column, Table};

/// What is to be written, and what there is to tell.
#[derive(Clone, Debug, Default)]
pub struct Synced {
    /// Files that are new or changed, whole.
    pub files: Vec<WorkspaceFile>,
    /// What is new, changed or gone, in words.
    pub notes: Vec<SyncNote>,
}

/// One thing that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncNote {
    /// The file that it is about.
    pub path: String,
    /// What there is to say.
    pub what: SyncWhat,
}

/// What is different between a file and the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncWhat {
    /// A table that had no file.
    New {
        /// How many fields it has.
        fields: usize,
        /// What can't be shown, by name and type.
        left_out: Vec<String>,
        /// Whether its records have no id.
        without_key: bool,
    },
    /// A column that was taken up.
    Added(String),
    /// A column that is not as the file says; the file is left as it is.
    Changed(String),
    /// A column or table that the file names and the database has no more.
    Gone(String),
}

impl fmt::Display for SyncNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.what {
            SyncWhat::New {
                fields,
                left_out,
                without_key,
            } => {
                write!(f, "{path}  new: {fields} fields")?;
                if *without_key {
                    f.write_str(", without a key")?;
                }
                if !left_out.is_empty() {
                    write!(f, "; left out: {}", left_out.join(", "))?;
                }
                Ok(())
            }
            SyncWhat::Added(field) => write!(f, "{path}  added: {field}"),
            SyncWhat::Changed(what) => write!(f, "{path}  changed: {what}"),
            SyncWhat::Gone(what) => write!(f, "{path}  gone: {what}"),
        }
    }
}

/// Compares the tables of a connection with the models that are on it.
#[must_use]
pub fn sync(
    connection: &str,
    tables: &[Table],
    files: &[WorkspaceFile],
    catalog: &Catalog,
) -> Synced {
    let paths = paths(files);
    let known: Vec<&Model> = catalog
        .models()
        .filter(|model| model.connection() == Some(connection))
        .collect();
    let names = named(connection, tables, &known, catalog);
    let mut synced = Synced::default();
    for table in tables {
        match known.iter().find(|model| is_of(model, table)) {
            Some(model) => {
                let file = paths.get(model.name.as_str()).copied();
                synced.known(model, (table, tables), file, &names);
            }
            None => synced.take_up(connection, (table, tables), &names),
        }
    }
    for model in known {
        let there = tables.iter().any(|table| is_of(model, table));
        if let (false, Some(file)) = (there, paths.get(model.name.as_str())) {
            let table = model.mapping.as_ref().map_or("", |mapping| &mapping.table);
            synced.note(&file.path, SyncWhat::Gone(format!("the table {table}")));
        }
    }
    synced
}

/// The names of models, by schema and table.
type Names = BTreeMap<(Option<String>, String), String>;

fn named(connection: &str, tables: &[Table], known: &[&Model], catalog: &Catalog) -> Names {
    let mut taken = Taken::of(catalog.models().map(|model| model.name.as_str()));
    let mut names = Names::new();
    for table in tables {
        let found = known.iter().find(|model| is_of(model, table));
        if let Some(model) = found {
            names.insert(table.place(), model.name.clone());
        }
    }
    for table in tables {
        if names.contains_key(&table.place()) {
            continue;
        }
        let alone = tables
            .iter()
            .filter(|other| other.name == table.name)
            .count()
            == 1;
        let own = match (&table.schema, alone) {
            (Some(schema), false) => format!("{schema}_{}", table.name),
            _ => table.name.clone(),
        };
        let name = format!("{}.{}", name_of(connection), name_of(&own));
        names.insert(table.place(), taken.free(&name));
    }
    names
}

fn is_of(model: &Model, table: &Table) -> bool {
    model.mapping.as_ref().is_some_and(|mapping| {
        // A file without a schema means the one that the database looks in first.
        let same = mapping.schema.is_none() || mapping.schema == table.schema;
        mapping.table == table.name && same
    })
}

/// The file of each model.
fn paths(files: &[WorkspaceFile]) -> BTreeMap<String, &WorkspaceFile> {
    let mut paths = BTreeMap::new();
    for file in files.iter().filter(|file| below(&file.path, "models")) {
        let mut problems = Vec::new();
        let name = FileReader::open(file, &mut problems)
            .and_then(|(_, node)| Some(node.get("name")?.as_text()?.to_owned()));
        paths.extend(name.map(|name| (name, file)));
    }
    paths
}

impl Synced {
    fn note(&mut self, path: &str, what: SyncWhat) {
        self.notes.push(SyncNote {
            path: path.to_owned(),
            what,
        });
    }

    fn take_up(&mut self, connection: &str, (table, tables): (&Table, &[Table]), names: &Names) {
        let Some(name) = names.get(&table.place()) else {
            return;
        };
        let text = ModelText::of(connection, name, (table, tables), names);
        let file = name.split_once('.').map_or(name.as_str(), |(_, own)| own);
        let path = format!("models/{}/{file}.yaml", name_of(connection));
        let left_out = table.columns.iter().filter(|column| column.kind.is_none());
        let left_out = left_out.map(|column| format!("{} ({})", column.name, column.declared));
        let what = SyncWhat::New {
            fields: text.fields,
            left_out: left_out.collect(),
            without_key: table.key.is_empty(),
        };
        self.note(&path, what);
        self.files.push(WorkspaceFile {
            path,
            text: text.text,
        });
    }

    fn known(
        &mut self,
        model: &Model,
        (table, tables): (&Table, &[Table]),
        file: Option<&WorkspaceFile>,
        names: &Names,
    ) {
        let Some(file) = file else { return };
        let mut different = compare::differences(model, table, names);
        different.extend(pairs::gone(model, tables));
        for what in different {
            self.note(&file.path, what);
        }
        let new: Vec<&Column> = table
            .columns
            .iter()
            .filter(|column| column.kind.is_some() && !compare::has(model, column))
            .collect();
        let mut new_pairs = pairs::of(table, tables);
        new_pairs.retain(|pairs| !pairs.is_of(model));
        if new.is_empty() && new_pairs.is_empty() {
            return;
        }
        let mut taken: Taken = Taken::of(model.fields.iter().map(|field| field.name.as_str()));
        let mut lines = String::new();
        let columns = new.into_iter();
        let mut added: Vec<(String, String)> = columns
            .filter_map(|column| field_line(table, column, names, &mut taken))
            .collect();
        let pairs = new_pairs.iter();
        added.extend(pairs.filter_map(|pairs| pairs.line(names, &mut taken)));
        for (name, line) in added {
            lines.push_str(&line);
            self.note(&file.path, SyncWhat::Added(name));
        }
        match write::with_fields(&file.text, &lines) {
            Some(text) => self.files.push(WorkspaceFile {
                path: file.path.clone(),
                text,
            }),
            None => {
                let what =
                    "new columns can't be added to a file written this way; add them by hand";
                self.note(&file.path, SyncWhat::Changed(what.to_owned()));
            }
        }
    }
}

impl Table {
    fn place(&self) -> (Option<String>, String) {
        (self.schema.clone(), self.name.clone())
    }
}

/// The columns that stand for something else than a field: a key that is an id as it is.
fn key_columns(table: &Table) -> BTreeSet<&str> {
    match plain_key(table) {
        Some(column) => BTreeSet::from([column.name.as_str()]),
        None => BTreeSet::new(),
    }
}

/// The one column of a key, if it is a number, a text or a UUID.
fn plain_key(table: &Table) -> Option<&Column> {
    let [one] = table.key.as_slice() else {
        return None;
    };
    let column = table.columns.iter().find(|column| column.name == *one)?;
    let is_plain = matches!(
        (&column.kind, &column.column_type),
        (Some(FieldType::Integer | FieldType::Uuid), _)
            | (Some(FieldType::String | FieldType::Text), ColumnType::Text)
    );
    is_plain.then_some(column)
}
