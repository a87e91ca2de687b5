use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection};

use super::{COLUMN_COUNT, COLUMNS, CallEvent, CallRow};
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

type Query<'q> = sqlx::query::Query<'q, Sqlite, sqlx::sqlite::SqliteArguments>;

/// How many rows one statement holds at most. Statements come in sizes of powers of two, so that
/// few are prepared.
const MOST_ROWS: usize = 32;
const EVENT_COLUMNS: &str = "org_id, call_id, seq, state, waiting_for, at, by_id, reason";
/// How many columns stand in [`EVENT_COLUMNS`].
const EVENT_COLUMN_COUNT: usize = 8;

/// The rows of a call: itself, and what happened to it.
#[derive(Clone, Debug)]
pub struct CallRows {
    /// The call.
    pub call: CallRow,
    /// Its transitions, the first one first.
    pub events: Vec<CallEvent>,
}

/// Statements that stand around those of [`CallRows::write`] and run together with them: each
/// would else be a journey of its own to the connection's thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Around {
    /// A whole transaction.
    Transaction,
    /// A part of one, that can be undone alone.
    Savepoint,
    /// Nothing: a unit is there already.
    Nothing,
}

impl Around {
    fn before(self) -> &'static str {
        match self {
            Self::Transaction => "BEGIN IMMEDIATE; ",
            Self::Savepoint => "SAVEPOINT rows; ",
            Self::Nothing => "",
        }
    }

    fn after(self) -> &'static str {
        match self {
            Self::Transaction => "; COMMIT",
            Self::Savepoint => "; RELEASE rows",
            Self::Nothing => "",
        }
    }
}

impl CallRows {
    /// Writes calls with their events. After an error, what stands around them is still open.
    pub(crate) async fn write(
        conn: &mut SqliteConnection,
        rows: &[&Self],
        around: Around,
    ) -> Result<(), StoreError> {
        let mut alike: BTreeMap<usize, Vec<&Self>> = BTreeMap::new();
        for row in rows {
            alike.entry(row.events.len()).or_default().push(row);
        }
        let parts: Vec<(usize, &[&Self])> = alike
            .iter()
            .flat_map(|(events, rows)| powers_of_two(rows).into_iter().map(|part| (*events, part)))
            .collect();
        let last = parts.len().saturating_sub(1);
        for (index, (events, part)) in parts.into_iter().enumerate() {
            let mut sql = String::new();
            if index == 0 {
                sql.push_str(around.before());
            }
            push_insert(&mut sql, "tc_calls", COLUMNS, (COLUMN_COUNT, part.len()));
            if events > 0 {
                sql.push_str("; ");
                let size = (EVENT_COLUMN_COUNT, part.len() * events);
                push_insert(&mut sql, "tc_call_events", EVENT_COLUMNS, size);
            }
            if index == last {
                sql.push_str(around.after());
            }
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for row in part {
                query = bind_call(query, &row.call);
            }
            for row in part {
                for (seq, event) in (1..).zip(&row.events) {
                    query = bind_event(query, &row.call, seq, event);
                }
            }
            query.execute(&mut *conn).await?;
        }
        Ok(())
    }
}

/// Writes new calls in a unit.
///
/// # Errors
/// When the database fails, or one of them is there already.
pub async fn insert(unit: &mut Unit, rows: &[CallRows]) -> Result<(), StoreError> {
    let rows: Vec<&CallRows> = rows.iter().collect();
    CallRows::write(unit.as_conn().await?.sqlite()?, &rows, Around::Nothing).await
}

fn powers_of_two<T>(mut rows: &[T]) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let mut size = MOST_ROWS;
    while !rows.is_empty() {
        while size > rows.len() {
            size /= 2;
        }
        let (part, rest) = rows.split_at(size);
        parts.push(part);
        rows = rest;
    }
    parts
}

/// Values stand as a bare `?`: finding a numbered one takes SQLite longer the more there are.
fn push_insert(sql: &mut String, table: &str, columns: &str, (count, rows): (usize, usize)) {
    for part in ["INSERT INTO ", table, " (", columns, ") VALUES "] {
        sql.push_str(part);
    }
    for row in 0..rows {
        sql.push_str(if row == 0 { "(?" } else { ", (?" });
        for _ in 1..count {
            sql.push_str(", ?");
        }
        sql.push(')');
    }
}

fn bind_call<'q>(query: Query<'q>, call: &'q CallRow) -> Query<'q> {
    let place = call.place;
    let found = call.found.as_ref();
    query
        .bind(call.org.to_string())
        .bind(call.id.to_string())
        .bind(place.map(|place| place.run.to_string()))
        .bind(place.map(|place| place.step))
        .bind(place.map(|place| place.position))
        .bind(call.provider_call_id.as_deref())
        .bind(call.conversation.map(|id| id.to_string()))
        .bind(call.agent.as_deref())
        .bind(call.via.name())
        .bind(call.asker.to_string())
        .bind(call.credential.map(|id| id.to_string()))
        .bind(&call.tool)
        .bind(found.map(|found| found.kind.as_str()))
        .bind(found.map(|found| found.version))
        .bind(found.map(|found| found.digest.as_str()))
        .bind(found.map(|found| found.level.as_str()))
        .bind(&call.title)
        .bind(call.state.name())
        .bind(
            call.state
                .waiting_for()
                .map(toolcrib::state::WaitingFor::name),
        )
        .bind(&call.arguments_asked)
        .bind(call.arguments.as_deref())
        .bind(call.arguments_hash.as_deref())
        .bind(call.repairs.as_deref())
        .bind(call.result.as_deref())
        .bind(call.error.as_deref())
        .bind(call.shown)
        .bind(call.handle.as_deref())
        .bind(call.tags.as_deref())
        .bind(call.idempotency_key.as_deref())
        .bind(call.trial.as_deref())
        .bind(call.asked_at)
        .bind(call.started_at)
        .bind(call.ended_at)
}

fn bind_event<'q>(query: Query<'q>, call: &CallRow, seq: i64, event: &'q CallEvent) -> Query<'q> {
    query
        .bind(call.org.to_string())
        .bind(call.id.to_string())
        .bind(seq)
        .bind(event.state.name())
        .bind(
            event
                .state
                .waiting_for()
                .map(toolcrib::state::WaitingFor::name),
        )
        .bind(event.at)
        .bind(event.by.map(|id| id.to_string()))
        .bind(event.reason.as_deref())
}
