//! Plain work to compare with: SQLite with the settings of the store and nothing around it.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, SqliteConnection};

use toolcrib::id::{CallId, OrgId};
use toolcrib_data::{Store, StoreOptions};

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

/// One INSERT and one commit after the other, of the row that a call leaves behind.
#[derive(Debug)]
pub(crate) struct Commits {
    conn: SqliteConnection,
    row: Row,
}

/// What is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A row of the table of calls, with the indices of that table.
    Call,
    /// As many bytes in a table of two columns.
    Small,
}

const CALL: &str = "INSERT INTO tc_calls (org_id, id, via, asker_id, tool, kind, tool_version, tool_digest, level, \
    title, state, arguments_asked, arguments, arguments_hash, result, asked_at, started_at, ended_at) \
    VALUES ($1, $2, 'api', $1, 'reads_nothing', 'system', 1, $3, 'read_only', 'Nothing', 'succeeded', \
    '{\"id\": 7}', '{\"id\": 7}', $3, '{\"type\":\"json\",\"output\":{\"done\":true}}', $4, $4, $4)";

impl Commits {
    pub(crate) async fn new(dir: &Path, row: Row) -> anyhow::Result<Self> {
        let path = dir.join(format!("plain-{row:?}.db"));
        // The store makes the tables, and is gone before anything is measured.
        let store = Store::open(StoreOptions::new(&path)).await?;
        store.close().await;
        let mut conn = open(&path).await?;
        sqlx::query("CREATE TABLE small (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT")
            .execute(&mut conn)
            .await?;
        Ok(Self { conn, row })
    }

    /// Commits for that long; answers with how many there were in a second.
    pub(crate) async fn per_second(&mut self, time: Duration) -> anyhow::Result<f64> {
        let org = OrgId::mint().to_string();
        let (digest, body) = ("x".repeat(64), "x".repeat(600));
        let begin = Instant::now();
        let mut count = 0;
        while begin.elapsed() < time {
            let id = CallId::mint().to_string();
            let insert = match self.row {
                Row::Call => sqlx::query(CALL)
                    .bind(&org)
                    .bind(&id)
                    .bind(&digest)
                    .bind(1_796_000_000_000_000_i64 + i64::from(count)),
                Row::Small => sqlx::query("INSERT INTO small (id, body) VALUES ($1, $2)")
                    .bind(&id)
                    .bind(&body),
            };
            insert.execute(&mut self.conn).await?;
            count += 1;
        }
        Ok(per_second(count, begin.elapsed()))
    }
}
