use super::{Names, SyncWhat, key_columns};
use crate::connections::introspect::{Column, Table};
use crate::records::model::{Field, FieldType, Model};
use crate::records::sql::column::ColumnType;

/// Whether the model knows the column already, or leaves it out on purpose.
pub(super) fn has(model: &Model, column: &Column) -> bool {
    let mapping = model.mapping.as_ref();
    let left_out = mapping.is_some_and(|mapping| mapping.left_out.contains(&column.name));
    left_out || model.stored().any(|field| field.column() == column.name)
}

/// What is not as the model says.
pub(super) fn differences(model: &Model, table: &Table, names: &Names) -> Vec<SyncWhat> {
    let mut found = Vec::new();
    let key = model.mapping.as_ref().map(|mapping| mapping.key.as_slice());
    // Of a view nobody knows the key but who wrote the file.
    if !table.key.is_empty() && key.is_some_and(|key| !key.is_empty() && key != table.key) {
        let columns = table.key.join(", ");
        found.push(SyncWhat::Changed(format!(
            "the table has the key {columns} now"
        )));
    }
    for field in model.stored() {
        if matches!(field.column_type, ColumnType::Several(_)) {
            continue;
        }
        match table
            .columns
            .iter()
            .find(|column| column.name == field.column())
        {
            None => found.push(SyncWhat::Gone(field.name.clone())),
            Some(column) => {
                let what = difference(table, field, column, names);
                found.extend(what.map(|what| SyncWhat::Changed(format!("{} {what}", field.name))));
            }
        }
    }
    found
}

fn difference(table: &Table, field: &Field, column: &Column, names: &Names) -> Option<String> {
    let is = |now: &str| format!("is {} now, {now}", column.declared);
    let Some(kind) = &column.kind else {
        return Some(is("which can't be shown"));
    };
    let is_key = key_columns(table).contains(column.name.as_str());
    match &field.kind {
        FieldType::ManyToOne { model, .. } => {
            let mut references = table.references.iter();
            let target = references
                .find(|one| one.column == column.name)
                .and_then(|one| names.get(&(one.target_schema.clone(), one.target_table.clone())));
            return match target {
                Some(target) if target != model => Some(format!("leads to {target} now")),
                // A relation that the database itself does not know of may be meant all the same.
                _ => None,
            };
        }
        FieldType::Decimal { precision, scale } => {
            if let FieldType::Decimal {
                precision: is_precision,
                scale: is_scale,
            } = kind
            {
                let narrower = precision <= is_precision && scale == is_scale;
                return (!narrower && (precision, scale) != (is_precision, is_scale))
                    .then(|| is(&format!("the file says ({precision},{scale})")));
            }
        }
        _ => {}
    }
    let mut held = vec![&column.column_type];
    // What is short text to the file may be long text to the database, and the other way round.
    let textual = [ColumnType::Text, ColumnType::Char, ColumnType::Loose];
    if textual.contains(&column.column_type) {
        held.extend(&textual);
    }
    if !held.contains(&&field.column_type) {
        return Some(is(&format!("the file says {}", field.kind.name())));
    }
    if column.is_required && !field.rules.required && !is_key && !field.is_system() {
        return Some("is required now".to_owned());
    }
    let missing = |options: &[crate::records::model::Choice]| match kind {
        FieldType::Selection { options: now } => {
            let now = now
                .iter()
                .filter(|one| options.iter().all(|other| other.value != one.value));
            now.map(|one| one.value.clone()).next()
        }
        _ => None,
    };
    match &field.kind {
        FieldType::Selection { options } => {
            missing(options).map(|option| format!("can be \"{option}\" now"))
        }
        _ => None,
    }
}
