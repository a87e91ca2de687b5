use sea_query::Values;
use sqlx::mysql::{MySqlArguments, MySqlDatabaseError, MySqlRow};
use sqlx::types::BigDecimal;
use sqlx::{Arguments, Row, TypeInfo, ValueRef};

use super::{Bound, SqlError, Unfit, bind_all, quoted};
use crate::records::values::cell::Cell;

pub(super) fn bind(values: Values) -> Result<MySqlArguments, SqlError> {
    bind_all(
        values,
        MySqlArguments::default(),
        |arguments, bound| match bound {
            Bound::Int(n) => arguments.add(n),
            Bound::Real(x) => arguments.add(x),
            Bound::Text(text) => arguments.add(text),
            Bound::Bool(b) => arguments.add(b),
            Bound::Bytes(bytes) => arguments.add(bytes),
        },
    )
}

pub(super) fn cell(row: &MySqlRow, index: usize) -> Result<Cell, sqlx::Error> {
    let raw = row.try_get_raw(index)?;
    if raw.is_null() {
        return Ok(Cell::Null);
    }
    let kind = raw.type_info().name().to_owned();
    match kind.as_str() {
        "DECIMAL" => Ok(Cell::of_exact(&row.try_get::<BigDecimal, _>(index)?)),
        "FLOAT" => Ok(Cell::Real(f64::from(row.try_get::<f32, _>(index)?))),
        "DOUBLE" => row.try_get(index).map(Cell::Real),
        name if name.contains("INT") && name.contains("UNSIGNED") => {
            let number: u64 = row.try_get(index)?;
            Ok(i64::try_from(number)
                .map_or_else(|_| Cell::of_exact(&BigDecimal::from(number)), Cell::Int))
        }
        name if name.contains("INT") => row.try_get(index).map(Cell::Int),
        "BOOLEAN" => row.try_get_unchecked(index).map(Cell::Int),
        _ => {
            let bytes: Vec<u8> = row.try_get_unchecked(index)?;
            // Texts are handed over as their bytes.
            let text = String::from_utf8(bytes);
            Ok(text.map_or_else(|error| Cell::Bytes(error.into_bytes()), Cell::Text))
        }
    }
}

pub(super) fn mapped(error: sqlx::Error) -> SqlError {
    let Some(database) = error
        .as_database_error()
        .and_then(|error| error.try_downcast_ref::<MySqlDatabaseError>())
    else {
        return SqlError::Store(error.into());
    };
    let column = || quoted(database.message(), '\'');
    match database.number() {
        // "Duplicate entry 'x' for key 'table.name'": the name is often that of the column.
        1062 | 1586 => {
            let key = database.message().rsplit('\'').nth(1);
            let key = key.map(|key| key.rsplit('.').next().unwrap_or(key).to_owned());
            SqlError::Unique(key)
        }
        1216 | 1217 | 1451 | 1452 => SqlError::Reference,
        1048 | 1364 => SqlError::Value(column(), Unfit::Missing),
        // "CONSTRAINT `table.column` failed for …": MariaDB names one of a column after it.
        4025 | 3819 => {
            let message = database.message();
            let name = quoted(message, '`').or_else(|| quoted(message, '\''));
            let name = name.unwrap_or_default();
            SqlError::Check(name.rsplit('.').next().unwrap_or_default().to_owned())
        }
        1406 => SqlError::Value(column(), Unfit::TooLong),
        1264 => SqlError::Value(column(), Unfit::OutOfRange),
        1690 => SqlError::Value(None, Unfit::OutOfRange),
        1205 | 3572 => SqlError::Locked,
        1213 | 1020 => SqlError::Conflict,
        1146 | 1054 | 1305 => {
            tracing::warn!(
                error = database.message(),
                "a database does not fit its data model"
            );
            SqlError::Changed
        }
        1969 | 3024 | 1317 => SqlError::TimedOut,
        _ => SqlError::Store(error.into()),
    }
}
