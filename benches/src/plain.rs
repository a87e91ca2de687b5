//! Plain work to compare with: SQLite with the settings of the store and nothing around it.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, SqliteConnection};

use crate::rounds::per_second;

pub(crate) async fn open(path: &Path) -> anyhow::Result<SqliteConnection> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .statement_cache_capacity(256);
    Ok(options.connect().await?)
}

/// Rows of the size of a stored call, one INSERT and one commit each.
#[derive(Debug)]
pub(crate) struct Commits {
    conn: SqliteConnection,
    next: i64,
}

impl Commits {
    pub(crate) async fn new(dir: &Path) -> anyhow::Result<Self> {
        let mut conn = open(&dir.join("plain.db")).await?;
        sqlx::query("CREATE TABLE plain (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT")
            .execute(&mut conn)
            .await?;
        Ok(Self { conn, next: 0 })
    }

    /// Commits for that long; answers with how many there were in a second.
    pub(crate) async fn per_second(&mut self, time: Duration) -> anyhow::Result<f64> {
        let body = "x".repeat(700);
        let begin = Instant::now();
        let mut count = 0;
        while begin.elapsed() < time {
            self.next += 1;
            sqlx::query("INSERT INTO plain (id, body) VALUES ($1, $2)")
                .bind(format!("{:036}", self.next))
                .bind(&body)
                .execute(&mut self.conn)
                .await?;
            count += 1;
        }
        Ok(per_second(count, begin.elapsed()))
    }
}
