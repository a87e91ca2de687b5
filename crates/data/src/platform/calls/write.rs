use std::collections::BTreeMap;

use sqlx::SqliteConnection;

use super::{COLUMN_COUNT, COLUMNS, CallEvent, CallRow};
use crate::conn::Conn;
use crate::platform::deliveries::{self, DeliveryRow};
use crate::platform::sql::{Sql, Value, sql};
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

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
    /// Whom to tell of it.
    pub deliveries: Vec<DeliveryRow>,
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
        let mut alike: BTreeMap<(usize, usize), Vec<&Self>> = BTreeMap::new();
        for row in rows {
            let counts = (row.events.len(), row.deliveries.len());
            alike.entry(counts).or_default().push(row);
        }
        let parts: Vec<((usize, usize), &[&Self])> = alike
            .iter()
            .flat_map(|(counts, rows)| powers_of_two(rows).into_iter().map(|part| (*counts, part)))
            .collect();
        let last = parts.len().saturating_sub(1);
        for (index, ((events, deliveries), part)) in parts.into_iter().enumerate() {
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
            if deliveries > 0 {
                sql.push_str("; ");
                let size = (deliveries::COLUMN_COUNT, part.len() * deliveries);
                push_insert(&mut sql, "tc_deliveries", deliveries::COLUMNS, size);
            }
            if index == last {
                sql.push_str(around.after());
            }
            let mut statement = self::sql(sql);
            for row in part {
                statement = call_values(&row.call)
                    .into_iter()
                    .fold(statement, Sql::bind);
            }
            for row in part {
                for (seq, event) in (1..).zip(&row.events) {
                    let values = event_values(&row.call, seq, event);
                    statement = values.into_iter().fold(statement, Sql::bind);
                }
            }
            for row in part {
                for delivery in &row.deliveries {
                    let values = deliveries::values(row.call.org, delivery);
                    statement = values.into_iter().fold(statement, Sql::bind);
                }
            }
            statement.execute(&mut Conn::Sqlite(&mut *conn)).await?;
        }
        Ok(())
    }
}

/// Writes new calls in a unit.
///
/// # Errors
/// When the database fails, or one of them is there already.
pub async fn insert(unit: &mut Unit, rows: &[CallRows]) -> Result<(), StoreError> {
    let mut conn = unit.as_conn().await?;
    if let Conn::Sqlite(conn) = conn {
        let rows: Vec<&CallRows> = rows.iter().collect();
        return CallRows::write(conn, &rows, Around::Nothing).await;
    }
    for row in rows {
        let insert = sql(numbered("tc_calls", COLUMNS, COLUMN_COUNT));
        let insert = call_values(&row.call).into_iter().fold(insert, Sql::bind);
        insert.execute(&mut conn).await?;
        for (seq, event) in (1..).zip(&row.events) {
            let insert = sql(numbered(
                "tc_call_events",
                EVENT_COLUMNS,
                EVENT_COLUMN_COUNT,
            ));
            let values = event_values(&row.call, seq, event);
            values
                .into_iter()
                .fold(insert, Sql::bind)
                .execute(&mut conn)
                .await?;
        }
        for delivery in &row.deliveries {
            deliveries::write(&mut conn, row.call.org, delivery).await?;
        }
    }
    Ok(())
}

fn numbered(table: &str, columns: &str, count: usize) -> String {
    let values: Vec<String> = (1..=count).map(|number| format!("${number}")).collect();
    format!(
        "INSERT INTO {table} ({columns}) VALUES ({})",
        values.join(", ")
    )
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

/// The values of [`COLUMNS`].
fn call_values(call: &CallRow) -> Vec<Value<'_>> {
    let place = call.place;
    let found = call.found.as_ref();
    vec![
        Value::from(call.org.to_string()),
        Value::from(call.id.to_string()),
        Value::from(place.map(|place| place.run.to_string())),
        Value::from(place.map(|place| place.step)),
        Value::from(place.map(|place| place.position)),
        Value::from(call.provider_call_id.as_deref()),
        Value::from(call.conversation.map(|id| id.to_string())),
        Value::from(call.agent.as_deref()),
        Value::from(call.via.name()),
        Value::from(call.asker.to_string()),
        Value::from(call.credential.map(|id| id.to_string())),
        Value::from(&call.tool),
        Value::from(found.map(|found| found.kind.as_str())),
        Value::from(found.map(|found| found.version)),
        Value::from(found.map(|found| found.digest.as_str())),
        Value::from(found.map(|found| found.level.as_str())),
        Value::from(&call.title),
        Value::from(call.state.name()),
        Value::from(
            call.state
                .waiting_for()
                .map(toolcrib::state::WaitingFor::name),
        ),
        Value::from(&call.arguments_asked),
        Value::from(call.arguments.as_deref()),
        Value::from(call.arguments_hash.as_deref()),
        Value::from(call.repairs.as_deref()),
        Value::from(call.result.as_deref()),
        Value::from(call.error.as_deref()),
        Value::from(call.shown),
        Value::from(call.handle.as_deref()),
        Value::from(call.tags.as_deref()),
        Value::from(call.idempotency_key.as_deref()),
        Value::from(call.trial.as_deref()),
        Value::from(call.hooks.as_deref()),
        Value::from(call.asked_at),
        Value::from(call.started_at),
        Value::from(call.ended_at),
    ]
}

/// The values of [`EVENT_COLUMNS`].
fn event_values<'q>(call: &CallRow, seq: i64, event: &'q CallEvent) -> Vec<Value<'q>> {
    vec![
        Value::from(call.org.to_string()),
        Value::from(call.id.to_string()),
        Value::from(seq),
        Value::from(event.state.name()),
        Value::from(
            event
                .state
                .waiting_for()
                .map(toolcrib::state::WaitingFor::name),
        ),
        Value::from(event.at),
        Value::from(event.by.map(|id| id.to_string())),
        Value::from(event.reason.as_deref()),
    ]
}
