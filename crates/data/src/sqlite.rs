//! The embedded database: one writer with group commit, and a pool of readers.

pub(crate) mod open;
pub(crate) mod readers;
pub(crate) mod writer;

use sqlx::{AssertSqlSafe, Executor, SqliteConnection};

use crate::StoreError;

/// Runs one statement without values; only for text that this crate wrote itself.
pub(crate) async fn exec(
    conn: &mut SqliteConnection,
    sql: impl Into<String>,
) -> Result<(), StoreError> {
    conn.execute(AssertSqlSafe(sql.into())).await?;
    Ok(())
}
