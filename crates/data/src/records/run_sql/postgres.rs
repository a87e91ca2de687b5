use sea_query::Values;
use sqlx::postgres::{PgArguments, PgDatabaseError, PgRow};
use sqlx::types::BigDecimal;
use sqlx::{Arguments, Row, TypeInfo, ValueRef};

use super::{Bound, SqlError, Unfit, bind_all};
use crate::records::values::cell::Cell;

pub(super) fn bind(values: Values) -> Result<PgArguments, SqlError> {
    bind_all(
        values,
        PgArguments::default(),
        |arguments, bound| match bound {
            Bound::Int(n) => arguments.add(n),
            Bound::Real(x) => arguments.add(x),
            Bound::Text(text) => arguments.add(text),
            Bound::Bool(b) => arguments.add(b),
            Bound::Bytes(bytes) => arguments.add(bytes),
        },
    )
}

pub(super) fn cell(row: &PgRow, index: usize) -> Result<Cell, sqlx::Error> {
    let raw = row.try_get_raw(index)?;
    if raw.is_null() {
        return Ok(Cell::Null);
    }
    let kind = raw.type_info().name().to_owned();
    match kind.as_str() {
        "BOOL" => Ok(Cell::Int(i64::from(row.try_get::<bool, _>(index)?))),
        "INT2" => Ok(Cell::Int(i64::from(row.try_get::<i16, _>(index)?))),
        "INT4" => Ok(Cell::Int(i64::from(row.try_get::<i32, _>(index)?))),
        "INT8" => row.try_get(index).map(Cell::Int),
        "FLOAT4" => Ok(Cell::Real(f64::from(row.try_get::<f32, _>(index)?))),
        "FLOAT8" => row.try_get(index).map(Cell::Real),
        "NUMERIC" => Ok(Cell::of_exact(&row.try_get::<BigDecimal, _>(index)?)),
        "BYTEA" => row.try_get(index).map(Cell::Bytes),
        _ => row.try_get_unchecked(index).map(Cell::Text),
    }
}

pub(super) fn mapped(error: sqlx::Error) -> SqlError {
    let Some(database) = error
        .as_database_error()
        .and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
    else {
        return SqlError::Store(error.into());
    };
    let column = database.column().map(str::to_owned);
    match database.code() {
        // "Key (email)=(a@b) already exists.", in whatever language.
        "23505" => SqlError::Unique(database.detail().and_then(|detail| {
            let (_, rest) = detail.split_once('(')?;
            let (column, _) = rest.split_once(")=(")?;
            Some(column.trim_matches('"').to_owned())
        })),
        "23503" | "23001" => SqlError::Reference,
        "23502" => SqlError::Value(column, Unfit::Missing),
        "23514" => {
            let name = database.constraint().unwrap_or_default();
            // "item_price_check" is that of the column `price`.
            let of_column = database.table().and_then(|table| name.strip_prefix(table));
            SqlError::Check(of_column.unwrap_or(name).to_owned())
        }
        "22001" => SqlError::Value(column, Unfit::TooLong),
        "22003" => SqlError::Value(column, Unfit::OutOfRange),
        "55P03" => SqlError::Locked,
        "40P01" | "40001" => SqlError::Conflict,
        "42P01" | "42703" | "42704" | "22P02" | "42883" | "42804" => {
            tracing::warn!(
                error = database.message(),
                "a database does not fit its data model"
            );
            SqlError::Changed
        }
        "57014" => SqlError::TimedOut,
        _ => SqlError::Store(error.into()),
    }
}
