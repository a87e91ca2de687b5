use std::sync::Arc;

use sqlx::SqliteConnection;
use tokio::sync::oneshot;

use crate::StoreError;
use crate::conn::Conn;
use crate::sqlite::exec;
use crate::sqlite::readers::{Readers, Reading};
use crate::sqlite::writer::Returned;

/// One unit of work: what is written in it is there whole or not at all.
///
/// Only the counter and the runtime begin and end units. A unit that is dropped without
/// [`Unit::commit`] leaves nothing behind.
#[derive(Debug)]
pub struct Unit {
    conn: Option<SqliteConnection>,
    back: Option<oneshot::Sender<Returned>>,
    depth: u32,
}

impl Unit {
    pub(crate) fn new(conn: SqliteConnection, back: oneshot::Sender<Returned>) -> Self {
        Self {
            conn: Some(conn),
            back: Some(back),
            depth: 0,
        }
    }

    pub(crate) fn conn(&mut self) -> Result<Conn<'_>, StoreError> {
        self.conn
            .as_mut()
            .map(Conn::Sqlite)
            .ok_or(StoreError::WriterGone)
    }

    /// Opens a nested part that can be undone alone.
    pub async fn savepoint(&mut self) -> Result<(), StoreError> {
        self.depth += 1;
        let sql = format!("SAVEPOINT nested_{}", self.depth);
        exec(self.conn()?.sqlite(), sql).await
    }

    /// Keeps what was written since the last savepoint.
    pub async fn release(&mut self) -> Result<(), StoreError> {
        let sql = format!("RELEASE nested_{}", self.depth);
        self.depth = self.depth.saturating_sub(1);
        exec(self.conn()?.sqlite(), sql).await
    }

    /// Undoes what was written since the last savepoint.
    pub async fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        let (undo, drop) = (
            format!("ROLLBACK TO nested_{}", self.depth),
            format!("RELEASE nested_{}", self.depth),
        );
        self.depth = self.depth.saturating_sub(1);
        exec(self.conn()?.sqlite(), undo).await?;
        exec(self.conn()?.sqlite(), drop).await
    }

    /// Makes the unit durable; returns once it is on disk.
    pub async fn commit(mut self) -> Result<(), StoreError> {
        let (Some(conn), Some(back)) = (self.conn.take(), self.back.take()) else {
            return Err(StoreError::WriterGone);
        };
        let (durable, wait) = oneshot::channel();
        back.send(Returned::Commit(conn, durable))
            .map_err(|_| StoreError::WriterGone)?;
        wait.await.map_err(|_| StoreError::WriterGone)?
    }
}

/// Where rows can be read: inside a unit, or in a view of their own.
pub trait ReadFrom: sealed::AsConn + Send {}

impl ReadFrom for Unit {}
impl ReadFrom for Snapshot {}

pub(crate) mod sealed {
    use super::{Snapshot, Unit};
    use crate::StoreError;
    use crate::conn::Conn;

    /// Gives this crate the connection, and nobody else.
    pub trait AsConn {
        fn as_conn(&mut self) -> impl Future<Output = Result<Conn<'_>, StoreError>> + Send;
    }

    impl AsConn for Unit {
        async fn as_conn(&mut self) -> Result<Conn<'_>, StoreError> {
            self.conn()
        }
    }

    impl AsConn for Snapshot {
        async fn as_conn(&mut self) -> Result<Conn<'_>, StoreError> {
            self.conn().await
        }
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        if let (Some(conn), Some(back)) = (self.conn.take(), self.back.take()) {
            // A writer that is gone has closed its transaction already.
            drop(back.send(Returned::Rollback(conn)));
        }
    }
}

/// A read-only view of the database at one moment: that of the first read.
#[derive(Debug)]
pub struct Snapshot {
    readers: Arc<Readers>,
    /// None before the first read: a view that nobody looks at costs nothing.
    reading: Option<Reading>,
}

impl Snapshot {
    pub(crate) fn new(readers: &Arc<Readers>) -> Self {
        Self {
            readers: Arc::clone(readers),
            reading: None,
        }
    }

    async fn conn(&mut self) -> Result<Conn<'_>, StoreError> {
        let reading = match self.reading.take() {
            Some(reading) => reading,
            None => self.readers.begin().await?,
        };
        Ok(Conn::Sqlite(self.reading.insert(reading).conn()?))
    }
}
