use std::path::PathBuf;
use std::time::Duration;

use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::{exec, open};
use crate::StoreError;
use crate::faults;
use crate::platform::calls::{Around, CallRows};
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
    /// How many jobs shared the last transaction.
    last: usize,
}

impl Writer {
    pub(crate) fn new(path: PathBuf) -> (Self, mpsc::Sender<Job>) {
        let (send, jobs) = mpsc::channel(1024);
        (
            Self {
                path,
                jobs,
                last: 0,
            },
            send,
        )
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
    async fn batch(&mut self, conn: SqliteConnection, first: Job) -> Option<SqliteConnection> {
        let mut transaction = Transaction {
            conn,
            state: State::None,
        };
        let mut acks = Vec::new();
        let mut rows: Vec<(Box<CallRows>, Ack)> = Vec::new();
        let until = Instant::now() + BATCH_TIME;
        let mut next = Some(first);
        let mut done = 0;
        while let Some(job) = next.take() {
            match job {
                Job::Rows(row, ack) => rows.push((row, ack)),
                Job::Unit(asker) => match transaction.lend(asker).await {
                    Some((back, ack)) => {
                        transaction = back;
                        acks.extend(ack);
                    }
                    None => return lost(acks, rows),
                },
            }
            done += 1;
            if done < BATCH && Instant::now() < until {
                next = self.next().await;
            }
        }
        self.last = done;
        let Transaction { mut conn, state } = transaction;
        if state == State::None {
            return finish_alone(conn, rows).await;
        }
        write_rows(&mut conn, rows, &mut acks).await;
        let outcome = commit(&mut conn).await;
        finish(conn, outcome, acks).await
    }

    /// What else waits. If several were answered just now they are given the time to ask again:
    /// they would else find that the writer has left with the first of them.
    async fn next(&mut self) -> Option<Job> {
        if let Ok(job) = self.jobs.try_recv() {
            return Some(job);
        }
        if self.last < 2 {
            return None;
        }
        tokio::task::yield_now().await;
        self.jobs.try_recv().ok()
    }
}

/// How far a transaction has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It was not begun.
    None,
    /// It holds the work of one unit.
    One,
    /// It holds the work of several; the savepoint of the last one is still open.
    Several,
}

/// The connection, and the transaction that units share on it.
struct Transaction {
    conn: SqliteConnection,
    state: State,
}

impl Transaction {
    /// Lends the connection to one unit. The first one needs no savepoint: undoing it is undoing
    /// the transaction.
    async fn lend(mut self, asker: oneshot::Sender<Unit>) -> Option<(Self, Option<Ack>)> {
        let (sql, state) = match self.state {
            State::None => ("BEGIN IMMEDIATE", State::One),
            State::One => ("SAVEPOINT unit", State::Several),
            State::Several => ("RELEASE unit; SAVEPOINT unit", State::Several),
        };
        if let Err(error) = exec(&mut self.conn, sql).await {
            tracing::error!(%error, "the database writer cannot begin a unit");
            return None;
        }
        let (back, wait) = oneshot::channel();
        let returned = match asker.send(Unit::new(self.conn, back)) {
            Ok(()) => wait.await.ok()?,
            // The asker has gone: dropping the unit sends the connection back.
            Err(unit) => {
                drop(unit);
                wait.await.ok()?
            }
        };
        match returned {
            Returned::Commit(conn, ack) => Some((Self { conn, state }, Some(ack))),
            Returned::Rollback(mut conn) => {
                let (sql, state) = match state {
                    State::Several => ("ROLLBACK TO unit", State::Several),
                    State::One | State::None => ("ROLLBACK", State::None),
                };
                exec(&mut conn, sql).await.ok()?;
                Some((Self { conn, state }, None))
            }
        }
    }
}

/// Rows that share their transaction with no unit: all in one go, begun and committed with them.
/// If that fails, each is tried alone, so that only the one at fault is refused.
async fn finish_alone(
    mut conn: SqliteConnection,
    rows: Vec<(Box<CallRows>, Ack)>,
) -> Option<SqliteConnection> {
    if rows.is_empty() {
        return Some(conn);
    }
    let together: Vec<&CallRows> = rows.iter().map(|(row, _)| row.as_ref()).collect();
    faults::boundary();
    let Err(error) = CallRows::write(&mut conn, &together, Around::Transaction).await else {
        faults::boundary();
        let acks = rows.into_iter().map(|(_, ack)| ack).collect();
        return finish(conn, Ok(()), acks).await;
    };
    tracing::debug!(%error, "rows are written one by one");
    // It may not have been begun, or have been undone already.
    drop(exec(&mut conn, "ROLLBACK").await);
    if let Err(error) = exec(&mut conn, "BEGIN IMMEDIATE").await {
        tracing::error!(%error, "the database writer cannot begin a transaction");
        let text = error.to_string();
        for (_, ack) in rows {
            drop(ack.send(Err(StoreError::Commit(text.clone()))));
        }
        return None;
    }
    let mut acks = Vec::new();
    one_by_one(&mut conn, rows, &mut acks).await;
    let outcome = commit(&mut conn).await;
    finish(conn, outcome, acks).await
}

async fn commit(conn: &mut SqliteConnection) -> Result<(), StoreError> {
    faults::boundary();
    let outcome = exec(conn, "COMMIT").await;
    faults::boundary();
    outcome
}

/// Tells those whose work was in a transaction how it ended.
async fn finish(
    mut conn: SqliteConnection,
    outcome: Result<(), StoreError>,
    acks: Vec<Ack>,
) -> Option<SqliteConnection> {
    let Err(error) = outcome else {
        for ack in acks {
            // A caller that has gone away needs no answer; what it wrote stays.
            drop(ack.send(Ok(())));
        }
        return Some(conn);
    };
    tracing::error!(%error, "commit failed");
    let text = error.to_string();
    for ack in acks {
        drop(ack.send(Err(StoreError::Commit(text.clone()))));
    }
    let sound = exec(&mut conn, "ROLLBACK").await.is_ok();
    sound.then_some(conn)
}

/// All rows in one go; if one of them is refused, each alone, so that only that one fails.
async fn write_rows(
    conn: &mut SqliteConnection,
    rows: Vec<(Box<CallRows>, Ack)>,
    acks: &mut Vec<Ack>,
) {
    if rows.is_empty() {
        return;
    }
    let together: Vec<&CallRows> = rows.iter().map(|(row, _)| row.as_ref()).collect();
    if attempt(conn, &together).await.is_ok() {
        acks.extend(rows.into_iter().map(|(_, ack)| ack));
        return;
    }
    one_by_one(conn, rows, acks).await;
}

async fn one_by_one(
    conn: &mut SqliteConnection,
    rows: Vec<(Box<CallRows>, Ack)>,
    acks: &mut Vec<Ack>,
) {
    for (row, ack) in rows {
        match attempt(conn, &[row.as_ref()]).await {
            Ok(()) => acks.push(ack),
            Err(error) => drop(ack.send(Err(error))),
        }
    }
}

async fn attempt(conn: &mut SqliteConnection, rows: &[&CallRows]) -> Result<(), StoreError> {
    let written = CallRows::write(conn, rows, Around::Savepoint).await;
    if written.is_err() {
        exec(conn, "ROLLBACK TO rows; RELEASE rows").await?;
    }
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
