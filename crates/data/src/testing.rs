//! Databases to test with.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use uuid::Uuid;

use crate::{ConnectionUrl, Connections, Store, StoreError};

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
