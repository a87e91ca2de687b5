use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::sql::Row;
use crate::StoreError;

/// Reads an id or another value that is stored as text.
pub(crate) fn parsed<T: FromStr>(row: &Row, column: &str) -> Result<T, StoreError>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: &str = row.try_get(column)?;
    text.parse().map_err(|error: T::Err| decode(column, error))
}

/// As [`parsed`], for a column that may be null.
pub(crate) fn parsed_opt<T: FromStr>(row: &Row, column: &str) -> Result<Option<T>, StoreError>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: Option<&str> = row.try_get(column)?;
    text.map(|text| text.parse().map_err(|error: T::Err| decode(column, error)))
        .transpose()
}

/// Reads a value that is stored as JSON.
pub(crate) fn json<T: DeserializeOwned>(row: &Row, column: &'static str) -> Result<T, StoreError> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|source| StoreError::Stored {
        what: column,
        source,
    })
}

/// Writes a value as it is stored.
pub(crate) fn to_json<T: Serialize>(what: &'static str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|source| StoreError::Stored { what, source })
}

pub(crate) fn decode(
    column: &str,
    error: impl std::error::Error + Send + Sync + 'static,
) -> StoreError {
    StoreError::from(sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: Box::new(error),
    })
}
