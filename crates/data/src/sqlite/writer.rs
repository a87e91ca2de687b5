use std::path::PathBuf;
use std::time::Duration;

use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::{exec, open};
use crate::StoreError;
use crate::platform::calls::CallRows;
use crate::unit::Unit;

/// At most this many jobs share one commit, so that none waits long for its neighbours.
const BATCH: usize = 64;
/// A batch takes no further job after this long.
const BATCH_TIME: Duration = Duration::from_millis(20);

pub(crate) type Ack = oneshot::Sender<Result<(), StoreError>>;

/// What a unit hands back when it ends.
#[derive(Debug)]
pub(crate) enum Returned {
    Commit(SqliteConnection, Ack),
    Rollback(SqliteConnection),
}

/// What the writer can be asked for.
#[derive(Debug)]
pub(crate) enum Job {
    /// The connection, for one unit.
    Unit(oneshot::Sender<Unit>),
    /// Rows that depend on nothing read before: neighbours go into one statement.
    Rows(Box<CallRows>, Ack),
}

/// The only connection that writes. Units and rows that wait at the same moment share one
/// transaction, and each is acknowledged after the commit that holds it.
pub(crate) struct Writer {
    path: PathBuf,
    jobs: mpsc::Receiver<Job>,
}

impl Writer {
    pub(crate) fn new(path: PathBuf) -> (Self, mpsc::Sender<Job>) {
        let (send, jobs) = mpsc::channel(1024);
        (Self { path, jobs }, send)
    }

    /// Works until every sender is gone. A lost connection is opened anew.
    pub(crate) async fn run(mut self, first: SqliteConnection) {
        let mut conn = Some(first);
        while let Some(job) = self.jobs.recv().await {
            let ready = match conn.take() {
                Some(conn) => Ok(conn),
                None => open::writer(&self.path).await,
            };
            match ready {
                Ok(ready) => conn = self.batch(ready, job).await,
                Err(error) => {
                    tracing::error!(%error, "the database writer cannot open its connection");
                    fail(job, &error.to_string());
                }
            }
        }
    }

    /// One transaction with as many jobs as wait. Answers with the connection, if it is still sound.
    async fn batch(&mut self, mut conn: SqliteConnection, first: Job) -> Option<SqliteConnection> {
        if let Err(error) = exec(&mut conn, "BEGIN IMMEDIATE").await {
            tracing::error!(%error, "the database writer cannot begin a transaction");
            fail(first, &error.to_string());
            return None;
        }
        let mut acks = Vec::new();
        let mut rows: Vec<(Box<CallRows>, Ack)> = Vec::new();
        let until = Instant::now() + BATCH_TIME;
        let mut next = Some(first);
        let mut done = 0;
        while let Some(job) = next.take() {
            match job {
                Job::Rows(row, ack) => rows.push((row, ack)),
                Job::Unit(asker) => match lend(conn, asker, done == 0).await {
                    Some((back, ack)) => {
                        conn = back;
                        acks.extend(ack);
                    }
                    None => return lost(acks, rows),
                },
            }
            done += 1;
            if done < BATCH && Instant::now() < until {
                next = self.jobs.try_recv().ok();
            }
        }
        if !rows.is_empty() {
            write_rows(&mut conn, rows, &mut acks).await;
        }
        let outcome = exec(&mut conn, "COMMIT").await;
        if let Err(error) = outcome {
            tracing::error!(%error, "commit failed");
            let text = error.to_string();
            for ack in acks {
                drop(ack.send(Err(StoreError::Commit(text.clone()))));
            }
            let sound = exec(&mut conn, "ROLLBACK").await.is_ok();
            return sound.then_some(conn);
        }
        for ack in acks {
            // A caller that has gone away needs no answer; what it wrote stays.
            drop(ack.send(Ok(())));
        }
        Some(conn)
    }
}

/// Lends the connection to one unit. Without anything written before it in this transaction
/// no savepoint is needed: undoing the unit is undoing the transaction.
async fn lend(
    mut conn: SqliteConnection,
    asker: oneshot::Sender<Unit>,
    alone: bool,
) -> Option<(SqliteConnection, Option<Ack>)> {
    if !alone {
        exec(&mut conn, "SAVEPOINT unit").await.ok()?;
    }
    let (back, wait) = oneshot::channel();
    let returned = match asker.send(Unit::new(conn, back)) {
        Ok(()) => wait.await.ok()?,
        // The asker has gone: dropping the unit sends the connection back.
        Err(unit) => {
            drop(unit);
            wait.await.ok()?
        }
    };
    match returned {
        Returned::Commit(mut conn, ack) => {
            if !alone {
                exec(&mut conn, "RELEASE unit").await.ok()?;
            }
            Some((conn, Some(ack)))
        }
        Returned::Rollback(mut conn) => {
            if alone {
                exec(&mut conn, "ROLLBACK").await.ok()?;
                exec(&mut conn, "BEGIN IMMEDIATE").await.ok()?;
            } else {
                exec(&mut conn, "ROLLBACK TO unit").await.ok()?;
                exec(&mut conn, "RELEASE unit").await.ok()?;
            }
            Some((conn, None))
        }
    }
}

/// All rows in one go; if one of them is refused, each alone, so that only that one fails.
async fn write_rows(
    conn: &mut SqliteConnection,
    rows: Vec<(Box<CallRows>, Ack)>,
    acks: &mut Vec<Ack>,
) {
    let together: Vec<&CallRows> = rows.iter().map(|(row, _)| row.as_ref()).collect();
    if attempt(conn, &together).await.is_ok() {
        acks.extend(rows.into_iter().map(|(_, ack)| ack));
        return;
    }
    for (row, ack) in rows {
        match attempt(conn, &[row.as_ref()]).await {
            Ok(()) => acks.push(ack),
            Err(error) => drop(ack.send(Err(error))),
        }
    }
}

async fn attempt(conn: &mut SqliteConnection, rows: &[&CallRows]) -> Result<(), StoreError> {
    exec(conn, "SAVEPOINT rows").await?;
    let written = CallRows::write(conn, rows).await;
    if written.is_err() {
        exec(conn, "ROLLBACK TO rows").await?;
    }
    exec(conn, "RELEASE rows").await?;
    written
}

fn lost(acks: Vec<Ack>, rows: Vec<(Box<CallRows>, Ack)>) -> Option<SqliteConnection> {
    tracing::error!(
        "the database writer lost its connection; the units in its transaction are undone"
    );
    for ack in acks.into_iter().chain(rows.into_iter().map(|(_, ack)| ack)) {
        drop(ack.send(Err(StoreError::WriterGone)));
    }
    None
}

fn fail(job: Job, reason: &str) {
    match job {
        // Dropping the sender tells the asker that there is no unit.
        Job::Unit(asker) => drop(asker),
        Job::Rows(_, ack) => drop(ack.send(Err(StoreError::Commit(reason.to_owned())))),
    }
}
