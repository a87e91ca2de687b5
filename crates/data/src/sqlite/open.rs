use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, SqliteConnection};

use crate::StoreError;

/// How the one writer opens the file: every commit is on disk before it is acknowledged.
pub(crate) fn writer_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .statement_cache_capacity(256)
}

pub(crate) async fn writer(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(writer_options(path).connect().await?)
}

/// Readers cannot write: the database itself refuses.
pub(crate) async fn readers(path: &Path, count: u32) -> Result<SqlitePool, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .pragma("query_only", "on")
        .busy_timeout(Duration::from_secs(5))
        .statement_cache_capacity(256);
    Ok(SqlitePoolOptions::new()
        .max_connections(count)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(10))
        .test_before_acquire(false)
        .connect_with(options)
        .await?)
}
