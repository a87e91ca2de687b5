use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection};

use crate::StoreError;

/// So many rows of an answer may wait to be taken. A connection's thread that runs ahead need
/// not be woken for each.
const ROWS: usize = 512;

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
        .row_buffer_size(ROWS)
}

pub(crate) async fn writer(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(writer_options(path).connect().await?)
}

pub(crate) fn reader_options(path: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .busy_timeout(Duration::from_secs(5));
    reading(options)
}

/// A reader cannot write: the database itself refuses.
pub(crate) fn reading(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .pragma("query_only", "on")
        .statement_cache_capacity(256)
        .row_buffer_size(ROWS)
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection as _, Row as _};

    use super::*;

    #[tokio::test]
    async fn what_is_committed_is_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let mut conn = writer(&dir.path().join("main.db")).await.unwrap();
        let row = sqlx::query("PRAGMA synchronous").fetch_one(&mut conn).await;
        let full: i64 = row.unwrap().get(0);
        assert_eq!(full, 2, "FULL: the journal is synced with each commit");
        let row = sqlx::query("PRAGMA journal_mode")
            .fetch_one(&mut conn)
            .await;
        let mode: String = row.unwrap().get(0);
        assert_eq!(mode, "wal");
        conn.close().await.unwrap();
    }
}
