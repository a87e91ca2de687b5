use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::pool::PoolOptions;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{Database, Executor, MySqlPool, PgPool, SqlitePool};

use super::config::ConnectionConfig;
use super::transaction::Transaction;
use crate::StoreError;
use crate::records::Dialect;
use crate::sqlite::open;
use crate::sqlite::readers::Readers;
use crate::unit::Snapshot;

/// How long a session is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// A session that nobody used for so long is closed.
const IDLE: Duration = Duration::from_secs(300);

/// The sessions on one database.
#[derive(Debug)]
pub(super) enum Pool {
    /// Reads have sessions of their own.
    Sqlite(SqlitePool, Arc<Readers>),
    Postgres(PgPool),
    Mysql(MySqlPool),
}

impl Pool {
    /// A pool that opens its sessions when they are needed.
    pub(super) fn new(config: &ConnectionConfig) -> Result<Self, StoreError> {
        let bad = |error: sqlx::Error| StoreError::Connection {
            name: config.name.clone(),
            // The library's own message can quote parts of the URL.
            reason: match error {
                sqlx::Error::Configuration(_) => "its URL can't be understood".to_owned(),
                other => other.to_string(),
            },
        };
        let url = config.url.reveal();
        Ok(match config.url.dialect() {
            Dialect::Sqlite => {
                let options = SqliteConnectOptions::from_str(url).map_err(bad)?;
                let options = sqlite_session(options, config);
                let count = config.sessions.try_into().unwrap_or(usize::MAX);
                let readers = Readers::new(open::reading(options.clone()), count);
                Self::Sqlite(sqlite(config).connect_lazy_with(options), readers)
            }
            Dialect::Postgres => {
                let options = PgConnectOptions::from_str(url).map_err(bad)?;
                Self::Postgres(
                    common(PgPoolOptions::new(), config)
                        .connect_lazy_with(postgres_session(options, config)),
                )
            }
            Dialect::Mysql => {
                let url = url.replacen("mariadb:", "mysql:", 1);
                let options = MySqlConnectOptions::from_str(&url).map_err(bad)?;
                Self::Mysql(mysql(config).connect_lazy_with(options.charset("utf8mb4")))
            }
        })
    }

    /// A view of the database as it is at one moment.
    pub(super) async fn view(&self) -> Result<Snapshot, StoreError> {
        if let Self::Sqlite(_, readers) = self {
            return Ok(Snapshot::begun(readers, readers.begin().await?));
        }
        Ok(Snapshot::on(self.read().await?))
    }

    /// A transaction that only reads, and sees the database as it is at one moment.
    pub(super) async fn read(&self) -> Result<Transaction, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(pool, _) => Transaction::Sqlite(pool.begin_with("BEGIN").await?),
            Self::Postgres(pool) => Transaction::Postgres(
                pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    .await?,
            ),
            Self::Mysql(pool) => Transaction::Mysql(
                pool.begin_with("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
                    .await?,
            ),
        })
    }

    /// A transaction that writes.
    pub(super) async fn write(&self) -> Result<Transaction, sqlx::Error> {
        Ok(match self {
            Self::Sqlite(pool, _) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Transaction::Postgres(pool.begin().await?),
            Self::Mysql(pool) => Transaction::Mysql(pool.begin().await?),
        })
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool, readers) => {
                readers.close().await;
                pool.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
            Self::Mysql(pool) => pool.close().await,
        }
    }
}

fn common<DB: Database>(options: PoolOptions<DB>, config: &ConnectionConfig) -> PoolOptions<DB> {
    options
        .max_connections(config.sessions)
        .acquire_timeout(PATIENCE)
        .idle_timeout(IDLE)
}

fn sqlite(config: &ConnectionConfig) -> SqlitePoolOptions {
    common(SqlitePoolOptions::new(), config).test_before_acquire(false)
}

fn sqlite_session(
    options: SqliteConnectOptions,
    config: &ConnectionConfig,
) -> SqliteConnectOptions {
    let options = options
        .foreign_keys(true)
        .busy_timeout(config.lock_timeout)
        .create_if_missing(false);
    if config.read_only {
        return options.read_only(true).pragma("query_only", "on");
    }
    options
}

fn postgres_session(options: PgConnectOptions, config: &ConnectionConfig) -> PgConnectOptions {
    let millis = |limit: Duration| limit.as_millis().to_string();
    let options = options.application_name("toolcrib").options([
        ("statement_timeout", millis(config.statement_timeout)),
        ("lock_timeout", millis(config.lock_timeout)),
        (
            "idle_in_transaction_session_timeout",
            millis(config.statement_timeout * 4),
        ),
        ("timezone", "UTC".to_owned()),
        ("datestyle", "ISO".to_owned()),
    ]);
    if config.read_only {
        return options.options([("default_transaction_read_only", "on")]);
    }
    options
}

fn mysql(config: &ConnectionConfig) -> MySqlPoolOptions {
    let read_only = config.read_only;
    // It is told in seconds.
    let lock = Ord::max(config.lock_timeout.as_secs(), 1);
    let statement = config.statement_timeout;
    common(MySqlPoolOptions::new(), config).after_connect(move |conn, _| {
        Box::pin(async move {
            conn.execute(sqlx::AssertSqlSafe(format!(
                "SET SESSION time_zone = '+00:00', SESSION innodb_lock_wait_timeout = {lock}"
            )))
            .await?;
            limit_statements(conn, statement).await;
            if read_only {
                conn.execute("SET SESSION TRANSACTION READ ONLY").await?;
            }
            Ok(())
        })
    })
}

/// MariaDB and MySQL have names of their own for it; one of the two is unknown.
async fn limit_statements(conn: &mut sqlx::MySqlConnection, limit: Duration) {
    let (seconds, millis) = (limit.as_secs_f64(), limit.as_millis());
    let mariadb = format!("SET SESSION max_statement_time = {seconds}");
    if conn.execute(sqlx::AssertSqlSafe(mariadb)).await.is_ok() {
        return;
    }
    let mysql = format!("SET SESSION max_execution_time = {millis}");
    if let Err(error) = conn.execute(sqlx::AssertSqlSafe(mysql)).await {
        tracing::warn!(%error, "the database takes no limit for statements");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connections::ConnectionUrl;

    /// Whatever is asked of it, the session of a read-only connection writes nothing.
    #[tokio::test]
    async fn a_read_only_session_refuses_writes_itself() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.db");
        std::fs::write(&path, "").unwrap();
        let url = ConnectionUrl::parse(format!("sqlite:{}", path.display())).unwrap();
        let mut config = ConnectionConfig::new("a", url);
        let made = Pool::new(&config).unwrap();
        let mut unit = made.write().await.unwrap();
        unit.conn()
            .exec("CREATE TABLE t (x)".to_owned())
            .await
            .unwrap();
        unit.commit().await.unwrap();
        made.close().await;
        config.read_only = true;
        let pool = Pool::new(&config).unwrap();
        let mut view = pool.read().await.unwrap();
        let write = "INSERT INTO t VALUES (1)".to_owned();
        assert!(view.conn().exec(write).await.is_err());
    }
}
