use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::platform::calls::CallRows;
use crate::platform::migrate;
use crate::sqlite::open;
use crate::sqlite::readers::Readers;
use crate::sqlite::writer::{Job, Writer};
use crate::{Clock, Snapshot, StoreError, Unit};

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
    jobs: mpsc::Sender<Job>,
    readers: Arc<Readers>,
    clock: Clock,
    tasks: TaskTracker,
    path: PathBuf,
    /// Held as long as the store lives: one process per embedded database.
    _lock: StoreLock,
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
        let readers = Readers::open(options.path.clone(), options.readers).await?;
        let (writer, jobs) = Writer::new(options.path.clone());
        let tasks = TaskTracker::new();
        tasks.spawn(writer.run(conn));
        let inner = Inner {
            jobs,
            readers,
            clock: options.clock,
            tasks,
            path: options.path,
            _lock: lock,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// The clock that stamps what is stored.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The database file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Begins a unit of work; waits for its turn to write.
    ///
    /// # Errors
    /// When the writer has stopped.
    pub async fn unit(&self) -> Result<Unit, StoreError> {
        let (send, wait) = oneshot::channel();
        self.0
            .jobs
            .send(Job::Unit(send))
            .await
            .map_err(|_| StoreError::WriterGone)?;
        wait.await.map_err(|_| StoreError::WriterGone)
    }

    /// A view of the database, as it is at the first read.
    ///
    /// # Errors
    /// None yet: a reader that does not come free in time is told of by the first read.
    pub async fn snapshot(&self) -> Result<Snapshot, StoreError> {
        Ok(Snapshot::new(&self.0.readers))
    }

    /// Writes the rows of one call; returns once they are on disk. Calls that end at the
    /// same moment share one statement and one commit.
    ///
    /// # Errors
    /// When they could not be made durable.
    pub async fn write_call(&self, rows: CallRows) -> Result<(), StoreError> {
        let (ack, wait) = oneshot::channel();
        self.0
            .jobs
            .send(Job::Rows(Box::new(rows), ack))
            .await
            .map_err(|_| StoreError::WriterGone)?;
        wait.await.map_err(|_| StoreError::WriterGone)?
    }

    /// Waits until what was handed in is written, and closes the database.
    pub async fn close(self) {
        let Some(inner) = Arc::into_inner(self.0) else {
            return;
        };
        drop(inner.jobs);
        inner.tasks.close();
        inner.tasks.wait().await;
        inner.readers.close().await;
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
