use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection};

use super::{COLUMN_COUNT, COLUMNS, CallEvent, CallRow};
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

type Query<'q> = sqlx::query::Query<'q, Sqlite, sqlx::sqlite::SqliteArguments>;

/// How many rows one statement holds at most. Statements come in sizes of powers of two, so that
/// few are prepared.
const MOST_ROWS: usize = 32;
const EVENT_COLUMNS: usize = 8;

/// The rows of a call: itself, and what happened to it.
#[derive(Clone, Debug)]
pub struct CallRows {
    /// The call.
    pub call: CallRow,
    /// Its transitions, the first one first.
    pub events: Vec<CallEvent>,
}

impl CallRows {
    pub(crate) async fn write(
        conn: &mut SqliteConnection,
        rows: &[&Self],
    ) -> Result<(), StoreError> {
        for part in powers_of_two(rows) {
            let mut query = sqlx::query(insert_sql("tc_calls", COLUMNS, COLUMN_COUNT, part.len()));
            for row in part {
                query = bind_call(query, &row.call);
            }
            query.execute(&mut *conn).await?;
        }
        let events: Vec<(&CallRow, i64, &CallEvent)> = rows
            .iter()
            .flat_map(|row| {
                (1..)
                    .zip(&row.events)
                    .map(|(seq, event)| (&row.call, seq, event))
            })
            .collect();
        for part in powers_of_two(&events) {
            let columns = "org_id, call_id, seq, state, waiting_for, at, by_id, reason";
            let mut query = sqlx::query(insert_sql(
                "tc_call_events",
                columns,
                EVENT_COLUMNS,
                part.len(),
            ));
            for (call, seq, event) in part {
                query = bind_event(query, call, *seq, event);
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
    CallRows::write(unit.as_conn()?.sqlite(), &rows).await
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

fn insert_sql(table: &str, columns: &str, count: usize, rows: usize) -> AssertSqlSafe<String> {
    let mut sql = format!("INSERT INTO {table} ({columns}) VALUES ");
    for row in 0..rows {
        sql.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..count {
            let comma = if column == 0 { "" } else { ", " };
            // Writing to a string can't fail.
            let _ = write!(sql, "{comma}${}", row * count + column + 1);
        }
        sql.push(')');
    }
    AssertSqlSafe(sql)
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
        .bind(call.idempotency_key.as_deref())
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
