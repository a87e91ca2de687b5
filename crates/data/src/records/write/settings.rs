use std::sync::Arc;

use jiff::Timestamp;
use sea_query::{Alias, Expr};
use serde_json::{Map, Value};

use crate::records::access::Access;
use crate::records::content::{self, given};
use crate::records::criteria::path::Names;
use crate::records::error::Problem;
use crate::records::ids::Key;
use crate::records::links::write::SET;
use crate::records::model::{Field, FieldType, Model};
use crate::records::nearest::{clip, did_you_mean};
use crate::records::rights::allowed::{Allowed, Readable};
use crate::records::sql::Dialect;
use crate::records::values::cell::Cell;
use crate::records::values::limits::parse_for;
use crate::records::values::parse::parse;
use crate::records::values::relative;

/// A field and the value that it is set to.
#[derive(Clone, Debug)]
pub(crate) struct Setting<'a> {
    pub(crate) field: &'a Field,
    /// The value; null where the field leads to many records.
    pub(crate) cell: Cell,
    /// The records that a many_to_many field is to lead to.
    pub(crate) list: Vec<Key>,
    /// The content of a file.
    pub(crate) content: Option<Arc<Cell>>,
}

impl<'a> Setting<'a> {
    /// The columns that it is written to, each with the value as the database holds it.
    pub(crate) fn written(&self, dialect: Dialect) -> Vec<(Alias, Expr)> {
        content::written(dialect, (self.field, &self.cell), self.content.as_deref())
    }

    /// The records that it leads to: the model, the id, and what stands behind the field's name in
    /// a pointer to it.
    pub(crate) fn led_to(&self) -> Vec<(&'a str, Key, String)> {
        let Some(target) = self.field.kind.leads_to() else {
            return Vec::new();
        };
        let one = Key::of(&self.cell).map(|id| (target, id, String::new()));
        let many = self.list.iter().enumerate();
        let many = many.map(|(index, id)| (target, id.clone(), format!("/{index}")));
        one.into_iter().chain(many).collect()
    }
}

/// Reads the values that a call sets on one record; all problems at once.
pub(crate) fn settings<'a>(
    access: &'a Access,
    model: &'a Model,
    grants: &[Allowed<'_>],
    values: &Map<String, Value>,
    pointer: &str,
) -> Result<Vec<Setting<'a>>, Vec<Problem>> {
    let mut settings = Vec::new();
    let mut problems = Vec::new();
    for (name, value) in values {
        let cell = settable(access, model, grants, name).and_then(|field| {
            let mut setting = Setting {
                field,
                cell: Cell::Null,
                list: Vec::new(),
                content: None,
            };
            if field.is_link() {
                setting.list = read_list(field, value)?;
            } else if value.is_null() {
                setting.cell = empty(field)?;
            } else if field.is_file() {
                let given = given::read(field, value)?;
                setting.cell = Cell::Text(given.told.text());
                setting.content = Some(Arc::new(Cell::Bytes(given.bytes)));
            } else {
                setting.cell = parse_for(field, value)?;
            }
            Ok(setting)
        });
        match cell {
            Ok(setting) => settings.push(setting),
            Err(message) => {
                problems.push(Problem::new(format!("{pointer}/{}", token(name)), message));
            }
        }
    }
    if problems.is_empty() {
        Ok(settings)
    } else {
        Err(problems)
    }
}

/// The ids of the records that a field is to lead to.
fn read_list(field: &Field, value: &Value) -> Result<Vec<Key>, String> {
    let expected = "must be a list of ids, e.g. [3, 7]; it replaces the whole list";
    let items = value.as_array().ok_or(expected)?;
    if items.len() > usize::try_from(SET).unwrap_or(usize::MAX) {
        let count = items.len();
        return Err(format!("has {count} ids; at most {SET} can be set at once"));
    }
    let mut list = Vec::new();
    for item in items {
        let id = Key::of(&parse(&field.kind, item)?).ok_or(expected)?;
        if list.contains(&id) {
            return Err(format!("names {id} twice"));
        }
        list.push(id);
    }
    Ok(list)
}

fn empty(field: &Field) -> Result<Cell, String> {
    if field.rules.required {
        Err("is required and can't be empty".to_owned())
    } else {
        Ok(Cell::Null)
    }
}

/// The field of that name, if some grant lets the user set it.
fn settable<'a>(
    access: &'a Access,
    model: &'a Model,
    grants: &[Allowed<'_>],
    name: &str,
) -> Result<&'a Field, String> {
    let readable = Readable(access);
    let writable = |field: &Field| can_set(grants, field);
    match model.field(name) {
        Some(field) if writable(field) => Ok(field),
        Some(field) if readable.knows(model, field) => Err(match &field.kind {
            FieldType::OneToMany { model, inverse } if access.knows(model) => {
                format!("is a list of records; set `{inverse}` of the `{model}` records instead")
            }
            FieldType::OneToMany { .. } => "is a list of records and can't be set".to_owned(),
            _ if field.rules.read_only => "is set by the system".to_owned(),
            _ => "can be read but not set by you".to_owned(),
        }),
        _ => {
            let known = model
                .fields
                .iter()
                .filter(|field| writable(field))
                .map(|field| field.name.as_str());
            let hint = did_you_mean(name, known);
            Err(format!(
                "unknown field `{}` of `{}`{hint}",
                clip(name),
                model.name
            ))
        }
    }
}

/// Whether some grant lets the user set the field.
pub(crate) fn can_set(grants: &[Allowed<'_>], field: &Field) -> bool {
    field.holds_values()
        && !field.rules.read_only
        && grants.iter().any(|grant| grant.write.covers(field))
}

/// A name as it stands in a JSON pointer.
fn token(name: &str) -> String {
    clip(name).replace('~', "~0").replace('/', "~1")
}

/// The value of a new record's field that the call does not set.
pub(crate) fn default_of(field: &Field, now: Timestamp) -> Cell {
    let Some(default) = &field.default else {
        return Cell::Null;
    };
    let relative = default.as_str().and_then(|text| match field.kind {
        FieldType::Date => relative::date(text, now),
        FieldType::Datetime => relative::datetime(text, now),
        _ => None,
    });
    // A default was checked when its model was loaded.
    relative
        .or_else(|| parse_for(field, default).ok())
        .unwrap_or(Cell::Null)
}
