//! Tables in which each row leads to two records and says nothing else that is needed: they are
//! a many_to_many field of the models on both sides, beside a model of their own.

use super::names::{Taken, name_of};
use super::write::quoted;
use super::{Names, SyncWhat};
use crate::connections::introspect::{Reference, Table};
use crate::records::model::{FieldType, Model, Through};

/// One side of a table of pairs.
pub(super) struct Pairs<'t> {
    table: &'t Table,
    /// The column that leads to the record with the field.
    own: &'t Reference,
    /// The column that leads to the other record.
    other: &'t Reference,
}

/// The tables of pairs that lead from the rows of a table.
pub(super) fn of<'t>(table: &Table, tables: &'t [Table]) -> Vec<Pairs<'t>> {
    let leads_here = |reference: &Reference| {
        reference.target_table == table.name && reference.target_schema == table.schema
    };
    let mut found = Vec::new();
    for pairs in tables.iter().filter(|table| is_pure(table)) {
        let [first, second] = pairs.references.as_slice() else {
            continue;
        };
        for (own, other) in [(first, second), (second, first)] {
            if leads_here(own) {
                let table = pairs;
                found.push(Pairs { table, own, other });
            }
        }
    }
    found
}

/// Whether two relations are all that a row needs, and no two rows have the same two.
fn is_pure(table: &Table) -> bool {
    let [first, second] = table.references.as_slice() else {
        return false;
    };
    let is_either = |column: &String| *column == first.column || *column == second.column;
    let are_key = table.key.len() == 2 && table.key.iter().all(is_either);
    let mut rest = table
        .columns
        .iter()
        .filter(|column| !is_either(&column.name));
    are_key && first.column != second.column && rest.all(|column| !column.is_required)
}

impl Pairs<'_> {
    /// Whether the model has the field, or leaves the table out on purpose.
    pub(super) fn is_of(&self, model: &Model) -> bool {
        let mapping = model.mapping.as_ref();
        let is_left_out = mapping.is_some_and(|mapping| {
            mapping.key.len() != 1 || mapping.left_out.contains(&self.table.name)
        });
        let is_this = |through: &Through| {
            is_through(through, self.table)
                && through.column == self.own.column
                && through.target_column == self.other.column
        };
        let mut fields = model.fields.iter();
        is_left_out || fields.any(|field| through(&field.kind).is_some_and(is_this))
    }

    /// The field's name and its line of the file.
    pub(super) fn line(&self, names: &Names, taken: &mut Taken) -> Option<(String, String)> {
        let place = (
            self.other.target_schema.clone(),
            self.other.target_table.clone(),
        );
        let target = names.get(&place)?;
        let is_itself = self.own.target_table == self.other.target_table
            && self.own.target_schema == self.other.target_schema;
        let column = name_of(&self.other.column);
        let name = if is_itself {
            taken.free(column.strip_suffix("_id").unwrap_or(&column))
        } else {
            taken.free(&name_of(&self.other.target_table))
        };
        let schema = self.table.schema.as_ref();
        let schema = schema.map_or_else(String::new, |name| format!("schema: {}, ", quoted(name)));
        let read_only = if self.table.is_writable {
            ""
        } else {
            ", read_only: true"
        };
        let line = format!(
            "  {}: {{ type: many_to_many, model: {target}, through: {{ {schema}table: {}, column: {}, target_column: {} }}{read_only} }}\n",
            quoted(&name),
            quoted(&self.table.name),
            quoted(&self.own.column),
            quoted(&self.other.column),
        );
        Some((name, line))
    }
}

/// The fields of the model whose table of pairs is there no more.
pub(super) fn gone(model: &Model, tables: &[Table]) -> Vec<SyncWhat> {
    let is_there = |through: &Through| {
        tables.iter().any(|table| {
            let has = |name: &String| table.columns.iter().any(|column| column.name == *name);
            is_through(through, table) && has(&through.column) && has(&through.target_column)
        })
    };
    let fields = model.fields.iter();
    let gone = fields.filter(|field| through(&field.kind).is_some_and(|one| !is_there(one)));
    gone.map(|field| SyncWhat::Gone(field.name.clone()))
        .collect()
}

fn is_through(through: &Through, table: &Table) -> bool {
    let same = through.schema.is_none() || through.schema == table.schema;
    through.table == table.name && same
}

fn through(kind: &FieldType) -> Option<&Through> {
    match kind {
        FieldType::ManyToMany { through, .. } => through.as_ref(),
        _ => None,
    }
}
