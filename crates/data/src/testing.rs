//! Databases to test with.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use uuid::Uuid;

use crate::conn::Conn;
use crate::records::Dialect;
use crate::unit::sealed::AsConn as _;
use crate::{ConnectionUrl, Connections, Store, StoreError, Unit};

/// Makes an empty database on a PostgreSQL server, for one test alone.
///
/// # Errors
/// When the server can't be reached.
pub async fn make_database(server: &str) -> Result<ConnectionUrl, StoreError> {
    let name = format!("t_{}", Uuid::now_v7().simple());
    let mut conn = PgConnection::connect(&format!("{server}/postgres")).await?;
    let sql = format!("CREATE DATABASE {name}");
    conn.execute(AssertSqlSafe(sql)).await?;
    conn.close().await?;
    ConnectionUrl::parse(format!("{server}/{name}")).map_err(StoreError::Commit)
}

/// The text of a URL, with the secrets in it.
#[must_use]
pub fn reveal(url: &ConnectionUrl) -> &str {
    url.reveal()
}

/// Runs a statement in a session of a connection, as nothing else does: whether it may be written there is
/// for the session itself to say.
///
/// # Errors
/// When the database refuses it.
pub async fn run_on(connections: &Connections, name: &str, sql: &str) -> Result<(), StoreError> {
    let mut unit = connections.write_on(name).await?;
    unit.conn().exec(sql.to_owned()).await?;
    unit.commit().await
}

/// Runs a statement on the platform's own rows, as somebody with the database in their hands would.
///
/// # Errors
/// When the database refuses it.
pub async fn tamper(store: &Store, sql: &str) -> Result<(), StoreError> {
    let mut unit = store.unit().await?;
    unit.conn()?.exec(sql.to_owned()).await?;
    unit.commit().await
}

/// A unit in which a statement was run on the platform's own database, and which is not ended yet.
///
/// # Errors
/// When the database refuses it.
pub async fn hold(store: &Store, statement: &str) -> Result<Unit, StoreError> {
    let mut unit = store.unit().await?;
    unit.conn()?.exec(statement.to_owned()).await?;
    Ok(unit)
}

/// The whole number that a query of the platform's own database answers with.
///
/// # Errors
/// When the database refuses it, or answers with something else.
pub async fn number(store: &Store, query: &str) -> Result<i64, StoreError> {
    let mut snapshot = store.snapshot().await?;
    let query = AssertSqlSafe(query.to_owned());
    Ok(match snapshot.as_conn().await? {
        Conn::Sqlite(conn) => sqlx::query_scalar(query).fetch_one(conn).await?,
        Conn::Postgres(conn) => sqlx::query_scalar(query).fetch_one(conn).await?,
        Conn::Mysql(conn) => sqlx::query_scalar(query).fetch_one(conn).await?,
    })
}

/// Has the platform's own database refuse new rows of a table whose column has that value, until they
/// are [allowed](allow) again.
///
/// # Errors
/// When the database refuses it.
pub async fn forbid(
    store: &Store,
    table: &str,
    (column, value): (&str, &str),
) -> Result<(), StoreError> {
    let rule = match store.dialect() {
        Dialect::Sqlite => format!(
            "CREATE TRIGGER forbidden BEFORE INSERT ON {table} WHEN NEW.{column} = {value} \
             BEGIN SELECT RAISE(ABORT, 'forbidden'); END"
        ),
        _ => format!(
            "ALTER TABLE {table} ADD CONSTRAINT forbidden CHECK ({column} <> {value}) NOT VALID"
        ),
    };
    tamper(store, &rule).await
}

/// Ends what [`forbid`] began.
///
/// # Errors
/// When the database refuses it.
pub async fn allow(store: &Store, table: &str) -> Result<(), StoreError> {
    let rule = match store.dialect() {
        Dialect::Sqlite => "DROP TRIGGER forbidden".to_owned(),
        _ => format!("ALTER TABLE {table} DROP CONSTRAINT forbidden"),
    };
    tamper(store, &rule).await
}
