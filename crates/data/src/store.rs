use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::connections::transaction::Transaction;
use crate::platform::calls::{self, CallRows};
use crate::platform::migrate;
use crate::postgres;
use crate::records::Dialect;
use crate::sqlite::open;
use crate::sqlite::readers::Readers;
use crate::sqlite::writer::{Job, Writer};
use crate::{Clock, ConnectionUrl, Notices, Snapshot, StoreError, Unit};

/// How to open a store.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// The database file; its folder must exist.
    pub path: PathBuf,
    /// Connections that read at the same time.
    pub readers: usize,
    /// Where the time comes from.
    pub clock: Clock,
}

impl StoreOptions {
    /// The usual settings for the database at `path`.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            readers: 4,
            clock: Clock::system(),
        }
    }
}

/// The right to be the one process on an embedded database; held until it is dropped.
#[derive(Debug)]
pub struct StoreLock {
    /// The system frees the lock when this is closed.
    _file: File,
}

impl StoreLock {
    /// Takes the lock of the database at `path`, which need not exist yet.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { _file: lock(path)? })
    }
}

/// The platform's own database, `main`.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    backend: Backend,
    clock: Clock,
}

#[derive(Debug)]
enum Backend {
    /// A file of this process alone.
    Embedded {
        jobs: mpsc::Sender<Job>,
        readers: Arc<Readers>,
        tasks: TaskTracker,
        path: PathBuf,
        /// Held as long as the store lives: one process per embedded database.
        _lock: StoreLock,
    },
    /// A server that several processes may share.
    Postgres(PgPool),
}

impl Store {
    /// Opens the database, creating and migrating it as needed.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it open.
    pub async fn open(options: StoreOptions) -> Result<Self, StoreError> {
        let lock = StoreLock::take(&options.path)?;
        Self::open_locked(options, lock).await
    }

    /// As [`Store::open`], for a process that has taken the lock already.
    ///
    /// # Errors
    /// When the database can't be opened or migrated.
    pub async fn open_locked(options: StoreOptions, lock: StoreLock) -> Result<Self, StoreError> {
        let mut conn = open::writer(&options.path).await?;
        migrate::run(&mut conn, &options.clock).await?;
        let readers = Readers::open(&options.path, options.readers).await?;
        let (writer, jobs) = Writer::new(options.path.clone());
        let tasks = TaskTracker::new();
        tasks.spawn(writer.run(conn));
        let backend = Backend::Embedded {
            jobs,
            readers,
            tasks,
            path: options.path,
            _lock: lock,
        };
        let clock = options.clock;
        Ok(Self(Arc::new(Inner { backend, clock })))
    }

    /// Opens a PostgreSQL database, migrating it as needed. Other servers may have it open too.
    ///
    /// # Errors
    /// When the database can't be reached or migrated.
    pub async fn open_postgres(
        url: &ConnectionUrl,
        sessions: u32,
        clock: Clock,
    ) -> Result<Self, StoreError> {
        let pool = postgres::open::pool(url, sessions).await?;
        migrate::run_postgres(&pool, &clock).await?;
        let backend = Backend::Postgres(pool);
        Ok(Self(Arc::new(Inner { backend, clock })))
    }

    /// The clock that stamps what is stored.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The database file of an embedded database, which this process alone has open.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.0.backend {
            Backend::Embedded { path, .. } => Some(path),
            Backend::Postgres(_) => None,
        }
    }

    /// The language of the database.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match &self.0.backend {
            Backend::Embedded { .. } => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Whether other servers may have the database open too.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        match &self.0.backend {
            Backend::Embedded { .. } => false,
            Backend::Postgres(_) => true,
        }
    }

    /// What servers on the same database give notice of; nothing where this one is alone.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub async fn notices(&self) -> Result<Option<Notices>, StoreError> {
        match &self.0.backend {
            Backend::Embedded { .. } => Ok(None),
            Backend::Postgres(pool) => Ok(Some(Notices::on(pool).await?)),
        }
    }

    /// Begins a unit of work; waits for its turn to write.
    ///
    /// # Errors
    /// When the writer has stopped, or the database can't be reached.
    pub async fn unit(&self) -> Result<Unit, StoreError> {
        let jobs = match &self.0.backend {
            Backend::Embedded { jobs, .. } => jobs,
            Backend::Postgres(pool) => {
                let begun = pool.begin().await?;
                return Ok(Unit::on(Transaction::Postgres(begun)));
            }
        };
        let (send, wait) = oneshot::channel();
        let sent = jobs.send(Job::Unit(send)).await;
        sent.map_err(|_| StoreError::WriterGone)?;
        wait.await.map_err(|_| StoreError::WriterGone)
    }

    /// A unit beside which no other server has such a one, for work that is done once.
    ///
    /// # Errors
    /// As [`Store::unit`].
    pub async fn unit_alone(&self) -> Result<Unit, StoreError> {
        let mut unit = self.unit().await?;
        if self.dialect() == Dialect::Postgres {
            // It ends with the transaction.
            let lock = "SELECT pg_advisory_xact_lock(1952673140)".to_owned();
            unit.conn()?.exec(lock).await?;
        }
        Ok(unit)
    }

    /// A view of the database, as it is at the first read.
    ///
    /// # Errors
    /// None yet: a reader that does not come free in time is told of by the first read.
    pub async fn snapshot(&self) -> Result<Snapshot, StoreError> {
        Ok(match &self.0.backend {
            Backend::Embedded { readers, .. } => Snapshot::new(readers),
            Backend::Postgres(pool) => Snapshot::of(pool),
        })
    }

    /// Writes the rows of one call; returns once they are on disk. Calls that end at the
    /// same moment share one statement and one commit.
    ///
    /// # Errors
    /// When they could not be made durable.
    pub async fn write_call(&self, rows: CallRows) -> Result<(), StoreError> {
        let jobs = match &self.0.backend {
            Backend::Embedded { jobs, .. } => jobs,
            Backend::Postgres(_) => {
                let mut unit = self.unit().await?;
                calls::insert(&mut unit, &[rows]).await?;
                return unit.commit().await;
            }
        };
        let (ack, wait) = oneshot::channel();
        let sent = jobs.send(Job::Rows(Box::new(rows), ack)).await;
        sent.map_err(|_| StoreError::WriterGone)?;
        wait.await.map_err(|_| StoreError::WriterGone)?
    }

    /// Waits until what was handed in is written, and closes the database.
    pub async fn close(self) {
        let Some(inner) = Arc::into_inner(self.0) else {
            return;
        };
        match inner.backend {
            Backend::Embedded {
                jobs,
                readers,
                tasks,
                ..
            } => {
                drop(jobs);
                tasks.close();
                tasks.wait().await;
                readers.close().await;
            }
            Backend::Postgres(pool) => pool.close().await,
        }
    }
}

fn lock(path: &Path) -> Result<File, StoreError> {
    let name = path.with_extension("lock");
    let io = |source| StoreError::Io {
        what: format!("locking {}", name.display()),
        source,
    };
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&name)
        .map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
            path: path.display().to_string(),
        }),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}
