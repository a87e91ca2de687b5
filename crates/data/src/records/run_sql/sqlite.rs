use sea_query::Values;
use sqlx::error::ErrorKind;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, Row, TypeInfo, ValueRef};

use super::{Bound, SqlError, Unfit, bind_all};
use crate::records::values::cell::Cell;

pub(super) fn bind(values: Values) -> Result<SqliteArguments, SqlError> {
    bind_all(
        values,
        SqliteArguments::default(),
        |arguments, bound| match bound {
            Bound::Int(n) => arguments.add(n),
            Bound::Real(x) => arguments.add(x),
            Bound::Text(text) => arguments.add(text),
            Bound::Bool(b) => arguments.add(b),
            Bound::Bytes(bytes) => arguments.add(bytes),
        },
    )
}

pub(super) fn cell(row: &SqliteRow, index: usize) -> Result<Cell, sqlx::Error> {
    let raw = row.try_get_raw(index)?;
    if raw.is_null() {
        return Ok(Cell::Null);
    }
    match raw.type_info().name() {
        "REAL" => row.try_get_unchecked(index).map(Cell::Real),
        "TEXT" => row.try_get_unchecked(index).map(Cell::Text),
        "BLOB" => row.try_get_unchecked(index).map(Cell::Bytes),
        _ => row.try_get_unchecked(index).map(Cell::Int),
    }
}

pub(super) fn mapped(error: sqlx::Error) -> SqlError {
    let Some(database) = error.as_database_error() else {
        return SqlError::Store(error.into());
    };
    // "UNIQUE constraint failed: table.column"; the table stays here.
    let column = || {
        let message = database.message();
        message
            .rsplit_once('.')
            .map(|(_, column)| column.to_owned())
    };
    match (database.kind(), database.code().as_deref()) {
        (ErrorKind::UniqueViolation, _) => SqlError::Unique(column()),
        (ErrorKind::ForeignKeyViolation, _) => SqlError::Reference,
        (ErrorKind::NotNullViolation, _) => SqlError::Value(column(), Unfit::Missing),
        // "CHECK constraint failed: n > 0", or the name that the constraint has.
        (ErrorKind::CheckViolation, _) => SqlError::Check(
            database
                .message()
                .rsplit_once("failed: ")
                .map(|(_, condition)| condition.to_owned())
                .unwrap_or_default(),
        ),
        (_, Some("5" | "6" | "261" | "517")) => SqlError::Locked,
        (_, Some("1"))
            if database.message().starts_with("no such table")
                || database.message().starts_with("no such column")
                || database.message().contains("has no column named") =>
        {
            SqlError::Changed
        }
        _ => SqlError::Store(error.into()),
    }
}
