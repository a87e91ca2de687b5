//! Runs statements: the one place of `records` that knows sqlx.

mod mysql;
mod postgres;
pub(super) mod savepoint;
mod sqlite;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sea_query::{
    MysqlQueryBuilder, PostgresQueryBuilder, QueryStatementWriter, SqliteQueryBuilder, Values,
};
use sqlx::{AssertSqlSafe, Row};

use super::sql::Dialect;
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
    pub(super) fn of(dialect: Dialect, built: &impl QueryStatementWriter) -> Self {
        let (sql, values) = match dialect {
            Dialect::Sqlite => built.build(SqliteQueryBuilder),
            Dialect::Postgres => built.build(PostgresQueryBuilder),
            Dialect::Mysql => built.build(MysqlQueryBuilder),
        };
        Self { sql, values }
    }

    /// An insert of ids that PostgreSQL would else make itself, which it may insist on.
    pub(super) fn with_given_ids(mut self) -> Self {
        let mut is_quoted = false;
        let values = self.sql.char_indices().find(|(at, letter)| {
            is_quoted ^= *letter == '"';
            let rest = self.sql.get(*at..).unwrap_or_default();
            !is_quoted && rest.starts_with(" VALUES ")
        });
        if let Some((at, _)) = values {
            self.sql.insert_str(at, " OVERRIDING SYSTEM VALUE");
        }
        self
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
    /// The database takes no such value; the column, if it is known, and why.
    Value(Option<String>, Unfit),
    /// A condition of the table does not hold; its name or text, which the outside never sees.
    Check(String),
    /// Somebody else holds what it needs.
    Locked,
    /// Two transactions stand in each other's way: the work may be tried again.
    Conflict,
    /// A table or column is not what the data model says.
    Changed,
    /// It took too long.
    TimedOut,
    /// Anything else.
    Store(StoreError),
}

/// Why a database does not take a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    Missing,
    TooLong,
    OutOfRange,
}

impl From<SqlError> for StoreError {
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Store(error) => error,
            SqlError::Unique(_) => Self::Commit("a unique value is taken".to_owned()),
            SqlError::Reference => Self::Commit("a reference is broken".to_owned()),
            SqlError::Value(..) | SqlError::Check(_) => {
                Self::Commit("a value does not fit its column".to_owned())
            }
            SqlError::Locked => Self::Locked,
            SqlError::Conflict => Self::Conflict,
            SqlError::Changed => Self::Changed,
            SqlError::TimedOut => Self::TimedOut,
        }
    }
}

/// Runs a query and answers with its rows.
pub(super) async fn rows(
    conn: &mut Conn<'_>,
    statement: Statement,
) -> Result<Vec<Vec<Cell>>, SqlError> {
    let Statement { sql, values } = statement;
    let sql = AssertSqlSafe(sql);
    match conn {
        Conn::Sqlite(conn) => {
            let query = sqlx::query_with(sql, sqlite::bind(values)?);
            let rows = query.fetch_all(&mut **conn).await;
            all(&rows.map_err(sqlite::mapped)?, sqlite::cell, sqlite::mapped)
        }
        Conn::Postgres(conn) => {
            let query = sqlx::query_with(sql, postgres::bind(values)?);
            let rows = query.fetch_all(&mut **conn).await;
            all(
                &rows.map_err(postgres::mapped)?,
                postgres::cell,
                postgres::mapped,
            )
        }
        Conn::Mysql(conn) => {
            let query = sqlx::query_with(sql, mysql::bind(values)?);
            let rows = query.fetch_all(&mut **conn).await;
            all(&rows.map_err(mysql::mapped)?, mysql::cell, mysql::mapped)
        }
    }
}

fn all<R: Row>(
    rows: &[R],
    cell: impl Fn(&R, usize) -> Result<Cell, sqlx::Error>,
    mapped: impl Fn(sqlx::Error) -> SqlError,
) -> Result<Vec<Vec<Cell>>, SqlError> {
    let cells = |row: &R| (0..row.len()).map(|index| cell(row, index)).collect();
    rows.iter()
        .map(cells)
        .collect::<Result<_, _>>()
        .map_err(mapped)
}

/// So much work, in steps of the database, is one portion.
const PORTION: i32 = 1_000_000;

/// Runs a query as [`rows`] does, and stops it after so many portions of work, whoever still
/// waits for it; nothing is answered then. A server stops its statements by the clock, which its
/// session was told when it was opened.
pub(super) async fn rows_within(
    conn: &mut Conn<'_>,
    statement: Statement,
    portions: u32,
) -> Result<Option<Vec<Vec<Cell>>>, SqlError> {
    let left = Arc::new(AtomicU32::new(portions));
    // Also where nobody waits any more: the connection goes on to serve others.
    let _over = CountsNoMore(Arc::clone(&left));
    if let Conn::Sqlite(conn) = conn {
        let left = Arc::clone(&left);
        let mut handle = conn.lock_handle().await.map_err(sqlite::mapped)?;
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
    let found = rows(conn, statement).await;
    match (found, left.swap(UNLIMITED, Ordering::Relaxed)) {
        (Err(_), UNLIMITED) | (Err(SqlError::TimedOut), _) => Ok(None),
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
    Ok(write(conn, statement).await?.touched)
}

/// Runs an insert and answers with the id that the database gave, where it tells it this way.
pub(super) async fn execute_insert(
    conn: &mut Conn<'_>,
    statement: Statement,
) -> Result<i64, SqlError> {
    Ok(write(conn, statement).await?.last)
}

struct Written {
    touched: u64,
    last: i64,
}

async fn write(conn: &mut Conn<'_>, statement: Statement) -> Result<Written, SqlError> {
    let Statement { sql, values } = statement;
    let sql = AssertSqlSafe(sql);
    Ok(match conn {
        Conn::Sqlite(conn) => {
            let query = sqlx::query_with(sql, sqlite::bind(values)?);
            let done = query.execute(&mut **conn).await.map_err(sqlite::mapped)?;
            Written {
                touched: done.rows_affected(),
                last: done.last_insert_rowid(),
            }
        }
        Conn::Postgres(conn) => {
            let query = sqlx::query_with(sql, postgres::bind(values)?);
            let done = query.execute(&mut **conn).await.map_err(postgres::mapped)?;
            Written {
                touched: done.rows_affected(),
                last: 0,
            }
        }
        Conn::Mysql(conn) => {
            let query = sqlx::query_with(sql, mysql::bind(values)?);
            let done = query.execute(&mut **conn).await.map_err(mysql::mapped)?;
            Written {
                touched: done.rows_affected(),
                last: i64::try_from(done.last_insert_id()).unwrap_or_default(),
            }
        }
    })
}

/// Adds the values of a statement to the arguments of one backend.
fn bind_all<A>(
    values: Values,
    mut arguments: A,
    add: impl Fn(&mut A, Bound) -> Result<(), sqlx::error::BoxDynError>,
) -> Result<A, SqlError> {
    use sea_query::Value;
    for value in values.0 {
        let bound = match value {
            Value::BigInt(n) => Bound::Int(n),
            Value::BigUnsigned(n) => Bound::Int(n.and_then(|n| i64::try_from(n).ok())),
            Value::Double(x) => Bound::Real(x),
            Value::String(text) => Bound::Text(text),
            Value::Bool(b) => Bound::Bool(b),
            Value::Bytes(bytes) => Bound::Bytes(bytes),
            other => {
                let what = format!("a value of an unexpected type: {other:?}");
                return Err(encode(what.into()));
            }
        };
        add(&mut arguments, bound).map_err(encode)?;
    }
    Ok(arguments)
}

/// A value of a statement; each may be null.
enum Bound {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
    Bool(Option<bool>),
    Bytes(Option<Vec<u8>>),
}

fn encode(source: sqlx::error::BoxDynError) -> SqlError {
    SqlError::Store(StoreError::from(sqlx::Error::Encode(source)))
}

/// The text between the first pair of these signs.
fn quoted(message: &str, quote: char) -> Option<String> {
    let mut parts = message.split(quote);
    parts.next()?;
    let inside = parts.next()?;
    parts.next()?;
    Some(inside.to_owned())
}
