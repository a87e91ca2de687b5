use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, SqliteConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{exec, open};
use crate::StoreError;

/// How long a reader is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The connections that read. Not the pool of `sqlx`: that one asks each connection whether it
/// is well before it takes it back, which costs as much as a read.
#[derive(Debug)]
pub(crate) struct Readers {
    options: SqliteConnectOptions,
    idle: Mutex<Vec<SqliteConnection>>,
    free: Arc<Semaphore>,
}

impl Readers {
    /// At most `count` connections; the first one is opened at once.
    pub(crate) async fn open(path: &Path, count: usize) -> Result<Arc<Self>, StoreError> {
        let options = open::reader_options(path);
        let first = options.connect().await?;
        let readers = Self::new(options, count);
        readers.idle().push(first);
        Ok(readers)
    }

    /// At most `count` connections, each opened when it is needed.
    pub(crate) fn new(options: SqliteConnectOptions, count: usize) -> Arc<Self> {
        Arc::new(Self {
            options,
            idle: Mutex::new(Vec::new()),
            free: Arc::new(Semaphore::new(count)),
        })
    }

    /// A connection for oneself, in a transaction.
    pub(crate) async fn begin(self: &Arc<Self>) -> Result<Reading, StoreError> {
        let timed_out = || StoreError::from(sqlx::Error::PoolTimedOut);
        let waiting = Arc::clone(&self.free).acquire_owned();
        let permit = tokio::time::timeout(PATIENCE, waiting)
            .await
            .map_err(|_| timed_out())?
            .map_err(|_| timed_out())?;
        let idle = self.idle().pop();
        let conn = match idle {
            Some(conn) => match begun(conn).await {
                Ok(conn) => conn,
                Err(error) => {
                    tracing::warn!(%error, "a database reader is replaced");
                    self.fresh().await?
                }
            },
            None => self.fresh().await?,
        };
        Ok(Reading {
            conn: Some(conn),
            readers: Arc::clone(self),
            _permit: permit,
        })
    }

    /// Closes the connections that nobody has.
    pub(crate) async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for conn in idle {
            // It only read: nothing is lost if it does not close well.
            drop(conn.close().await);
        }
    }

    async fn fresh(&self) -> Result<SqliteConnection, StoreError> {
        begun(self.options.connect().await?).await
    }

    fn idle(&self) -> MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn begun(mut conn: SqliteConnection) -> Result<SqliteConnection, StoreError> {
    exec(&mut conn, "BEGIN").await?;
    Ok(conn)
}

/// A connection in a read transaction, which ends with this value.
#[derive(Debug)]
pub(crate) struct Reading {
    conn: Option<SqliteConnection>,
    readers: Arc<Readers>,
    _permit: OwnedSemaphorePermit,
}

impl Reading {
    pub(crate) fn conn(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let closed = StoreError::from(sqlx::Error::PoolClosed);
        self.conn.as_mut().ok_or(closed)
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let Some(mut conn) = self.conn.take() else {
            return;
        };
        // Asking once queues the statement on the connection's own thread, which takes them in
        // order: nobody has to wait for its end. Were it lost, the next BEGIN would fail, and the
        // connection be replaced.
        drop(conn.execute("ROLLBACK").now_or_never());
        self.readers.idle().push(conn);
    }
}
