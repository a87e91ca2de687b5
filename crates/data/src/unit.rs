use std::sync::Arc;

use serde_json::Value;
use sqlx::{PgPool, SqliteConnection};
use tokio::sync::oneshot;
use toolcrib::id::CallId;

use crate::StoreError;
use crate::conn::Conn;
use crate::connections::marker;
use crate::connections::transaction::Transaction;
use crate::new_ids::NewIds;
use crate::sqlite::readers::{Readers, Reading};
use crate::sqlite::writer::Returned;

/// One unit of work: what is written in it is there whole or not at all.
///
/// Only the counter and the runtime begin and end units. A unit that is dropped without
/// [`Unit::commit`] leaves nothing behind.
#[derive(Debug)]
pub struct Unit {
    held: Held,
    depth: u32,
    conflicted: bool,
    pub(crate) new_ids: NewIds,
}

/// What a unit works on.
#[derive(Debug)]
enum Held {
    /// The writer of the platform's own database.
    Writer(SqliteConnection, oneshot::Sender<Returned>),
    /// A transaction of its own, on a connection of data models.
    Own(Box<Transaction>),
    /// Nothing any more.
    Nothing,
}

impl Unit {
    pub(crate) fn new(conn: SqliteConnection, back: oneshot::Sender<Returned>) -> Self {
        Self {
            held: Held::Writer(conn, back),
            depth: 0,
            conflicted: false,
            new_ids: NewIds::default(),
        }
    }

    pub(crate) fn on(transaction: Transaction) -> Self {
        Self {
            held: Held::Own(Box::new(transaction)),
            depth: 0,
            conflicted: false,
            new_ids: NewIds::default(),
        }
    }

    pub(crate) fn conn(&mut self) -> Result<Conn<'_>, StoreError> {
        match &mut self.held {
            Held::Writer(conn, _) => Ok(Conn::Sqlite(conn)),
            Held::Own(transaction) => Ok(transaction.conn()),
            Held::Nothing => Err(StoreError::WriterGone),
        }
    }

    /// Marks the call as written, where the connection keeps marks: it commits with the unit.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark(&mut self, call: CallId, result: &str, now: i64) -> Result<(), StoreError> {
        marker::set(&mut self.conn()?, &call.to_string(), result, now).await
    }

    /// Notes that the database undid the work so that somebody else's could go on.
    pub fn note_conflict(&mut self) {
        self.conflicted = true;
    }

    /// Whether the same work may succeed in another unit.
    #[must_use]
    pub fn is_conflicted(&self) -> bool {
        self.conflicted
    }

    /// Has the records that are made next get these ids, in place of new ones.
    pub fn give_again(&mut self, ids: Vec<Value>) {
        self.new_ids = NewIds::again(ids);
    }

    /// The ids that the records made so far were given.
    pub fn take_given(&mut self) -> Vec<Value> {
        self.new_ids.take_given()
    }

    /// Opens a nested part that can be undone alone.
    pub async fn savepoint(&mut self) -> Result<(), StoreError> {
        self.depth += 1;
        let sql = format!("SAVEPOINT nested_{}", self.depth);
        self.conn()?.exec(sql).await
    }

    /// Keeps what was written since the last savepoint.
    pub async fn release(&mut self) -> Result<(), StoreError> {
        let sql = format!("RELEASE SAVEPOINT nested_{}", self.depth);
        self.depth = self.depth.saturating_sub(1);
        self.conn()?.exec(sql).await
    }

    /// Undoes what was written since the last savepoint.
    pub async fn rollback_to_savepoint(&mut self) -> Result<(), StoreError> {
        let (undo, drop) = (
            format!("ROLLBACK TO SAVEPOINT nested_{}", self.depth),
            format!("RELEASE SAVEPOINT nested_{}", self.depth),
        );
        self.depth = self.depth.saturating_sub(1);
        self.conn()?.exec(undo).await?;
        self.conn()?.exec(drop).await
    }

    /// Makes the unit durable; returns once it is on disk.
    pub async fn commit(mut self) -> Result<(), StoreError> {
        match std::mem::replace(&mut self.held, Held::Nothing) {
            Held::Writer(conn, back) => {
                let (durable, wait) = oneshot::channel();
                back.send(Returned::Commit(conn, durable))
                    .map_err(|_| StoreError::WriterGone)?;
                wait.await.map_err(|_| StoreError::WriterGone)?
            }
            Held::Own(transaction) => transaction.commit().await,
            Held::Nothing => Err(StoreError::WriterGone),
        }
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
        if let Held::Writer(conn, back) = std::mem::replace(&mut self.held, Held::Nothing) {
            // A writer that is gone has closed its transaction already.
            drop(back.send(Returned::Rollback(conn)));
        }
    }
}

/// A read-only view of a database at one moment: that of the first read.
#[derive(Debug)]
pub struct Snapshot(View);

#[derive(Debug)]
enum View {
    /// Of an SQLite file. There is no reader before the first read: a view that
    /// nobody looks at costs nothing.
    File(Arc<Readers>, Option<Reading>),
    /// Of a PostgreSQL database of the platform's own.
    Pool(PgPool, Option<Box<Transaction>>),
    /// Of a connection of data models.
    Own(Box<Transaction>),
}

/// Sees what was committed before its first statement, and writes nothing.
const READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl Snapshot {
    pub(crate) fn of(pool: &PgPool) -> Self {
        Self(View::Pool(pool.clone(), None))
    }

    pub(crate) fn new(readers: &Arc<Readers>) -> Self {
        Self(View::File(Arc::clone(readers), None))
    }

    pub(crate) fn begun(readers: &Arc<Readers>, reading: Reading) -> Self {
        Self(View::File(Arc::clone(readers), Some(reading)))
    }

    pub(crate) fn on(transaction: Transaction) -> Self {
        Self(View::Own(Box::new(transaction)))
    }

    async fn conn(&mut self) -> Result<Conn<'_>, StoreError> {
        match &mut self.0 {
            View::File(readers, reading) => {
                let begun = match reading.take() {
                    Some(begun) => begun,
                    None => readers.begin().await?,
                };
                Ok(Conn::Sqlite(reading.insert(begun).conn()?))
            }
            View::Pool(pool, begun) => {
                let transaction = match begun.take() {
                    Some(transaction) => transaction,
                    None => Box::new(Transaction::Postgres(pool.begin_with(READING).await?)),
                };
                Ok(begun.insert(transaction).conn())
            }
            View::Own(transaction) => Ok(transaction.conn()),
        }
    }
}
