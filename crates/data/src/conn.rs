use sqlx::{AssertSqlSafe, Executor, MySqlConnection, PgConnection, SqliteConnection};

use crate::StoreError;

/// One connection, inside whatever transaction its owner began.
///
/// Code that runs statements takes `&mut Conn<'_>` and matches on the backend; it neither
/// begins nor ends a transaction.
#[derive(Debug)]
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
    Mysql(&'c mut MySqlConnection),
}

impl Conn<'_> {
    /// Runs one statement without values; only for text that this crate wrote itself.
    pub(crate) async fn exec(&mut self, sql: String) -> Result<(), StoreError> {
        let sql = AssertSqlSafe(sql);
        match self {
            Conn::Sqlite(conn) => conn.execute(sql).await.map(drop),
            Conn::Postgres(conn) => conn.execute(sql).await.map(drop),
            Conn::Mysql(conn) => conn.execute(sql).await.map(drop),
        }?;
        Ok(())
    }

    /// The connection of the platform's own rows.
    pub(crate) fn sqlite(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        match self {
            Conn::Sqlite(conn) => Ok(conn),
            Conn::Postgres(_) | Conn::Mysql(_) => Err(StoreError::NotMain),
        }
    }
}
