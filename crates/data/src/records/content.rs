//! Files as values of binary fields.
//!
//! - [`given`] is what a call may set one to.
//! - [`told`] is what an answer says of one: never the content.
//! - [`fetch`] is the content itself, for people and programs alone.

pub(crate) mod fetch;
pub(crate) mod given;
pub(crate) mod told;

use sea_query::{Alias, Expr};

use super::model::{Field, FieldType};
use super::sql::Dialect;
use super::sql::column::ColumnType;
use super::values::cell::Cell;

/// The largest file of a field that sets no length: 10 MiB.
pub(crate) const LARGEST: u32 = 10 * 1024 * 1024;
/// The largest length that a field can set: 100 MiB.
pub(crate) const LARGEST_LENGTH: u32 = 100 * 1024 * 1024;
/// The type of content of which nothing else is known.
pub(crate) const UNKNOWN_TYPE: &str = "application/octet-stream";

/// The column with the content of a field's files: beside what is told of them in a table of our
/// own, else the only one that there is. A colon stands in no name of a field.
pub(crate) fn column(field: &Field) -> String {
    match field.column_type {
        ColumnType::Canonical => format!("{}:content", field.name),
        _ => field.column().to_owned(),
    }
}

/// The columns that a value of a field is written to, each with what is written.
pub(crate) fn written(
    dialect: Dialect,
    (field, cell): (&Field, &Cell),
    content: Option<&Cell>,
) -> Vec<(Alias, Expr)> {
    let write = |column_type: &ColumnType, cell: &Cell| {
        let sql = dialect.sql();
        sql.write(column_type, &field.kind, cell)
    };
    let told = || (Alias::new(field.column()), write(&field.column_type, cell));
    if !matches!(field.kind, FieldType::Binary { .. }) {
        return vec![told()];
    }
    let bytes = write(&ColumnType::Bytes, content.unwrap_or(&Cell::Null));
    let content = (Alias::new(column(field)), bytes);
    match field.column_type {
        ColumnType::Canonical => vec![told(), content],
        _ => vec![content],
    }
}
