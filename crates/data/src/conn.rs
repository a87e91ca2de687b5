use sqlx::{AssertSqlSafe, Executor, MySqlConnection, PgConnection, SqliteConnection};

use crate::StoreError;
use crate::records::Dialect;

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

    /// The language of its database.
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Conn::Sqlite(_) => Dialect::Sqlite,
            Conn::Postgres(_) => Dialect::Postgres,
            Conn::Mysql(_) => Dialect::Mysql,
        }
    }
}
