//! Runs statements: the one place of `records` that knows sqlx.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sea_query::{SqliteQueryBuilder, Value, Values};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Row, TypeInfo, ValueRef};

use super::values::cell::Cell;
use crate::StoreError;
use crate::conn::Conn;

/// A statement with its values beside it, ready to run.
#[derive(Debug)]
pub(super) struct Statement {
    sql: String,
    values: Values,
}

impl Statement {
    /// A query or a write, from the query builder alone.
    pub(super) fn of(built: impl Fn(SqliteQueryBuilder) -> (String, Values)) -> Self {
        let (sql, values) = built(SqliteQueryBuilder);
        Self { sql, values }
    }

    /// What the database would do for it.
    #[cfg(test)]
    pub(super) fn explained(self) -> Self {
        Self {
            sql: format!("EXPLAIN QUERY PLAN {}", self.sql),
            ..self
        }
    }

    /// How many values it binds.
    pub(super) fn bound(&self) -> usize {
        self.values.0.len()
    }

    /// A change of tables, from the schema builder alone.
    pub(super) fn schema(sql: String) -> Self {
        Self {
            sql,
            values: Values(Vec::new()),
        }
    }
}

/// Why a statement did not run.
#[derive(Debug)]
pub(super) enum SqlError {
    /// A value is taken that has to be unique; the column, if it is known.
    Unique(Option<String>),
    /// Something still refers to a row, or a row refers to nothing.
    Reference,
    /// Anything else.
    Store(StoreError),
}

impl From<SqlError> for StoreError {
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Store(error) => error,
            SqlError::Unique(_) => Self::Commit("a unique value is taken".to_owned()),
            SqlError::Reference => Self::Commit("a reference is broken".to_owned()),
        }
    }
}

/// Runs a query and answers with its rows.
pub(super) async fn rows(
    conn: &mut Conn<'_>,
    statement: Statement,
) -> Result<Vec<Vec<Cell>>, SqlError> {
    match conn {
        Conn::Sqlite(conn) => {
            let arguments = bind(statement.values).map_err(SqlError::Store)?;
            let query = sqlx::query_with(AssertSqlSafe(statement.sql), arguments);
            let rows = query.fetch_all(&mut **conn).await.map_err(mapped)?;
            rows.iter()
                .map(cells)
                .collect::<Result<_, _>>()
                .map_err(mapped)
        }
    }
}

/// So much work, in steps of the database, is one portion.
const PORTION: i32 = 1_000_000;

/// Runs a query as [`rows`] does, and stops it after so many portions of work, whoever still
/// waits for it; nothing is answered then.
pub(super) async fn rows_within(
    conn: &mut Conn<'_>,
    statement: Statement,
    portions: u32,
) -> Result<Option<Vec<Vec<Cell>>>, SqlError> {
    let left = Arc::new(AtomicU32::new(portions));
    // Also where nobody waits any more: the connection goes on to serve others.
    let _over = CountsNoMore(Arc::clone(&left));
    match conn {
        Conn::Sqlite(conn) => {
            let left = Arc::clone(&left);
            let mut handle = conn.lock_handle().await.map_err(mapped)?;
            handle.set_progress_handler(PORTION, move || match left.load(Ordering::Relaxed) {
                UNLIMITED => true,
                0 => {
                    // Stopped once: the connection goes on to serve others.
                    left.store(UNLIMITED, Ordering::Relaxed);
                    false
                }
                more => {
                    left.store(more - 1, Ordering::Relaxed);
                    true
                }
            });
        }
    }
    let found = rows(conn, statement).await;
    match (found, left.swap(UNLIMITED, Ordering::Relaxed)) {
        (Err(_), UNLIMITED) => Ok(None),
        (found, _) => found.map(Some),
    }
}

/// Ends the counting when the asking ends, however it does.
struct CountsNoMore(Arc<AtomicU32>);

impl Drop for CountsNoMore {
    fn drop(&mut self) {
        self.0.store(UNLIMITED, Ordering::Relaxed);
    }
}

/// No portion is counted any more.
const UNLIMITED: u32 = u32::MAX;

/// Runs a write and answers with how many rows it touched.
pub(super) async fn execute(conn: &mut Conn<'_>, statement: Statement) -> Result<u64, SqlError> {
    match conn {
        Conn::Sqlite(conn) => {
            let arguments = bind(statement.values).map_err(SqlError::Store)?;
            let query = sqlx::query_with(AssertSqlSafe(statement.sql), arguments);
            Ok(query
                .execute(&mut **conn)
                .await
                .map_err(mapped)?
                .rows_affected())
        }
    }
}

fn bind(values: Values) -> Result<SqliteArguments, StoreError> {
    let mut arguments = SqliteArguments::default();
    for value in values.0 {
        let added = match value {
            Value::BigInt(n) => arguments.add(n),
            Value::Double(x) => arguments.add(x),
            Value::String(text) => arguments.add(text),
            Value::Bool(b) => arguments.add(b),
            Value::BigUnsigned(n) => arguments.add(n.and_then(|n| i64::try_from(n).ok())),
            other => Err(format!("a value of an unexpected type: {other:?}").into()),
        };
        added.map_err(|source| StoreError::Database(sqlx::Error::Encode(source)))?;
    }
    Ok(arguments)
}

fn cells(row: &SqliteRow) -> Result<Vec<Cell>, sqlx::Error> {
    (0..row.len()).map(|index| cell(row, index)).collect()
}

fn cell(row: &SqliteRow, index: usize) -> Result<Cell, sqlx::Error> {
    let raw = row.try_get_raw(index)?;
    if raw.is_null() {
        return Ok(Cell::Null);
    }
    match raw.type_info().name() {
        "REAL" => row.try_get_unchecked(index).map(Cell::Real),
        "TEXT" => row.try_get_unchecked(index).map(Cell::Text),
        _ => row.try_get_unchecked(index).map(Cell::Int),
    }
}

fn mapped(error: sqlx::Error) -> SqlError {
    use sqlx::error::ErrorKind;
    let Some(database) = error.as_database_error() else {
        return SqlError::Store(error.into());
    };
    match database.kind() {
        ErrorKind::UniqueViolation => {
            // "UNIQUE constraint failed: table.column"; the table stays here.
            SqlError::Unique(
                database
                    .message()
                    .rsplit_once('.')
                    .map(|(_, column)| column.to_owned()),
            )
        }
        ErrorKind::ForeignKeyViolation => SqlError::Reference,
        _ => SqlError::Store(error.into()),
    }
}
