//! Events on their way to those who are told of calls: stored with the transition that they tell of,
//! and sent afterwards.

use std::str::FromStr;

use toolcrib::id::{CallId, DeliveryId, OrgId};

use super::Page;
use super::row::{decode, parsed};
use crate::conn::Conn;
use crate::platform::sql::{Row, Sql, Value, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// An event on its way to one subscriber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    /// Its id, which the subscriber gets too.
    pub id: DeliveryId,
    /// Whom it is for: the id of a webhook, or the key of a callback.
    pub subscriber: String,
    /// The call that it tells of.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// When in the call's life.
    pub moment: Moment,
    /// Whether arguments or result go with it.
    pub with_data: bool,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempts: i64,
    /// When it is tried next.
    pub next_at: i64,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// When the event was.
    pub created_at: i64,
    /// When it arrived.
    pub delivered_at: Option<i64>,
}

/// When in a call's life an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before it runs.
    Pre,
    /// After it ran.
    Post,
}

impl Moment {
    /// The public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pre => "pre",
            Self::Post => "post",
        }
    }

    fn number(self) -> i64 {
        match self {
            Self::Pre => 0,
            Self::Post => 1,
        }
    }
}

/// Where an event on its way stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// It is tried, or tried again.
    Waiting,
    /// It arrived.
    Delivered,
    /// It was tried often enough.
    Dead,
}

impl DeliveryStatus {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
        }
    }
}

/// A name that is no such status.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is none of waiting, delivered and dead")]
pub struct UnknownStatus(String);

impl FromStr for DeliveryStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        let all = [Self::Waiting, Self::Delivered, Self::Dead];
        let found = all.into_iter().find(|status| status.name() == text);
        found.ok_or_else(|| UnknownStatus(text.to_owned()))
    }
}

pub(super) const COLUMNS: &str = "org_id, id, subscriber, call_id, tool, moment, with_data, status, attempts, next_at, error, created_at, delivered_at";

/// How many columns stand in [`COLUMNS`].
pub(super) const COLUMN_COUNT: usize = 13;

fn read_row(row: &Row) -> Result<DeliveryRow, StoreError> {
    let moment: i64 = row.try_get("moment")?;
    Ok(DeliveryRow {
        id: parsed(row, "id")?,
        subscriber: row.try_get("subscriber")?,
        call: parsed(row, "call_id")?,
        tool: row.try_get("tool")?,
        moment: match moment {
            0 => Moment::Pre,
            1 => Moment::Post,
            _ => {
                let error = UnknownStatus(moment.to_string());
                return Err(decode("moment", error));
            }
        },
        with_data: row.try_get("with_data")?,
        status: parsed(row, "status")?,
        attempts: row.try_get("attempts")?,
        next_at: row.try_get("next_at")?,
        error: row.try_get("error")?,
        created_at: row.try_get("created_at")?,
        delivered_at: row.try_get("delivered_at")?,
    })
}

/// Stores events, each once.
///
/// # Errors
/// When the database fails.
pub async fn insert(unit: &mut Unit, org: OrgId, rows: &[DeliveryRow]) -> Result<(), StoreError> {
    let mut conn = unit.as_conn().await?;
    for row in rows {
        write(&mut conn, org, row).await?;
    }
    Ok(())
}

pub(super) async fn write(
    conn: &mut Conn<'_>,
    org: OrgId,
    row: &DeliveryRow,
) -> Result<(), StoreError> {
    let insert = sql(format!(
        "INSERT INTO tc_deliveries ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
         ON CONFLICT (org_id, call_id, subscriber, moment) DO NOTHING"
    ));
    let insert = values(org, row).into_iter().fold(insert, Sql::bind);
    insert.execute(conn).await?;
    Ok(())
}

/// The values of [`COLUMNS`].
pub(super) fn values(org: OrgId, row: &DeliveryRow) -> Vec<Value<'_>> {
    vec![
        Value::from(org.to_string()),
        Value::from(row.id.to_string()),
        Value::from(&row.subscriber),
        Value::from(row.call.to_string()),
        Value::from(&row.tool),
        Value::from(row.moment.number()),
        Value::from(row.with_data),
        Value::from(row.status.name()),
        Value::from(row.attempts),
        Value::from(row.next_at),
        Value::from(row.error.as_deref()),
        Value::from(row.created_at),
        Value::from(row.delivered_at),
    ]
}

/// Longer than any event waits, in microseconds: what is to wait longer was stored before the clock was
/// set back.
const LONGEST_WAIT: i64 = 13 * 3600 * 1_000_000;

/// What is due of a call's events before that one.
const NOT_BEHIND: &str = "NOT EXISTS (SELECT 1 FROM tc_deliveries AS b WHERE b.org_id = d.org_id AND b.call_id = d.call_id \
    AND b.subscriber = d.subscriber AND b.moment < d.moment AND b.status = 'waiting')";

/// The subscribers that something is due for.
///
/// # Errors
/// When the database fails.
pub async fn due_subscribers(
    from: &mut impl ReadFrom,
    org: OrgId,
    now: i64,
) -> Result<Vec<String>, StoreError> {
    let rows = sql(format!(
        "SELECT DISTINCT d.subscriber FROM tc_deliveries AS d WHERE d.org_id = $1 AND d.status = 'waiting' \
           AND (d.attempts = 0 OR d.next_at <= $2 OR d.next_at > $2 + {LONGEST_WAIT}) AND {NOT_BEHIND}"
    ))
    .bind(org.to_string())
    .bind(now)
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| Ok(row.try_get("subscriber")?))
        .collect()
}

/// What is due for a subscriber, the oldest first; of each call only the first.
///
/// # Errors
/// When the database fails.
pub async fn due(
    from: &mut impl ReadFrom,
    org: OrgId,
    subscriber: &str,
    (now, limit): (i64, u32),
) -> Result<Vec<DeliveryRow>, StoreError> {
    let rows = sql(format!(
        "SELECT {COLUMNS} FROM tc_deliveries AS d WHERE d.org_id = $1 AND d.subscriber = $2 AND d.status = 'waiting' \
           AND (d.attempts = 0 OR d.next_at <= $3 OR d.next_at > $3 + {LONGEST_WAIT}) AND {NOT_BEHIND} ORDER BY d.next_at, d.id LIMIT $4"
    ))
    .bind(org.to_string())
    .bind(subscriber)
    .bind(now)
    .bind(i64::from(limit))
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// Writes down what became of an attempt, unless somebody else did.
///
/// # Errors
/// When the database fails.
pub async fn settle(
    unit: &mut Unit,
    org: OrgId,
    before: &DeliveryRow,
    after: &DeliveryRow,
) -> Result<bool, StoreError> {
    let done = sql(
        "UPDATE tc_deliveries SET status = $3, attempts = $4, next_at = $5, error = $6, delivered_at = $7 \
         WHERE org_id = $1 AND id = $2 AND status = $8 AND attempts = $9",
    )
    .bind(org.to_string())
    .bind(before.id.to_string())
    .bind(after.status.name())
    .bind(after.attempts)
    .bind(after.next_at)
    .bind(after.error.as_deref())
    .bind(after.delivered_at)
    .bind(before.status.name())
    .bind(before.attempts)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Writes down that events arrived, all at the same time and at one more attempt than before.
///
/// # Errors
/// When the database fails.
pub async fn settle_delivered(
    unit: &mut Unit,
    org: OrgId,
    rows: &[&DeliveryRow],
) -> Result<(), StoreError> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let places: Vec<String> = (3..rows.len() + 3).map(|n| format!("${n}")).collect();
    let update = sql(format!(
        "UPDATE tc_deliveries SET status = 'delivered', attempts = attempts + 1, error = NULL, delivered_at = $2 \
         WHERE org_id = $1 AND status = 'waiting' AND id IN ({})",
        places.join(", ")
    ));
    let update = update.bind(org.to_string()).bind(first.delivered_at);
    let ids = rows.iter().map(|row| row.id.to_string());
    let update = ids.fold(update, Sql::bind);
    update.execute(&mut unit.as_conn().await?).await?;
    Ok(())
}

/// The event with that id.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: DeliveryId,
) -> Result<Option<DeliveryRow>, StoreError> {
    let row = sql(format!(
        "SELECT {COLUMNS} FROM tc_deliveries WHERE org_id = $1 AND id = $2"
    ))
    .bind(org.to_string())
    .bind(id.to_string())
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Which events.
#[derive(Clone, Debug, Default)]
pub struct DeliveryFilter {
    /// Only those that stand so.
    pub status: Option<DeliveryStatus>,
    /// Only those for this subscriber.
    pub subscriber: Option<String>,
    /// Only those of this call.
    pub call: Option<CallId>,
}

/// The events, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    from: &mut impl ReadFrom,
    org: OrgId,
    filter: &DeliveryFilter,
    page: &Page,
) -> Result<Vec<DeliveryRow>, StoreError> {
    let rows = sql(format!(
        "SELECT {COLUMNS} FROM tc_deliveries WHERE org_id = $1 AND ($2 IS NULL OR status = $2) \
           AND ($3 IS NULL OR subscriber = $3) AND ($4 IS NULL OR call_id = $4) AND ($5 IS NULL OR id < $5) \
         ORDER BY id DESC LIMIT $6"
    ))
    .bind(org.to_string())
    .bind(filter.status.map(DeliveryStatus::name))
    .bind(filter.subscriber.as_deref())
    .bind(filter.call.map(|id| id.to_string()))
    .bind(page.after.as_deref())
    .bind(i64::from(page.limit))
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// How many wait and how many are dead, by subscriber, and what went wrong last.
///
/// # Errors
/// When the database fails.
pub async fn counts(
    from: &mut impl ReadFrom,
    org: OrgId,
) -> Result<Vec<DeliveryCounts>, StoreError> {
    let rows = sql(
        "SELECT subscriber, status, count(*) AS n, \
           (SELECT e.error FROM tc_deliveries AS e WHERE e.org_id = $1 AND e.subscriber = d.subscriber \
              AND e.status = d.status AND e.error IS NOT NULL ORDER BY e.id DESC LIMIT 1) AS error \
         FROM tc_deliveries AS d WHERE org_id = $1 AND status IN ('waiting', 'dead') GROUP BY subscriber, status",
    )
    .bind(org.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(DeliveryCounts {
                subscriber: row.try_get("subscriber")?,
                status: parsed(row, "status")?,
                count: row.try_get("n")?,
                error: row.try_get("error")?,
            })
        })
        .collect()
}

/// How many events of a subscriber stand in a status.
#[derive(Clone, Debug)]
pub struct DeliveryCounts {
    /// The subscriber.
    pub subscriber: String,
    /// The status.
    pub status: DeliveryStatus,
    /// How many.
    pub count: i64,
    /// What went wrong with the newest of them.
    pub error: Option<String>,
}

/// Tries dead events again, all or those of a subscriber; answers with how many.
///
/// # Errors
/// When the database fails.
pub async fn revive(
    unit: &mut Unit,
    org: OrgId,
    subscriber: Option<&str>,
    now: i64,
) -> Result<u64, StoreError> {
    let done = sql(
        "UPDATE tc_deliveries SET status = 'waiting', attempts = 0, next_at = $3 \
         WHERE org_id = $1 AND status = 'dead' AND ($2 IS NULL OR subscriber = $2)",
    )
    .bind(org.to_string())
    .bind(subscriber)
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(done.rows_affected())
}

/// Forgets a dead event; whether it was there.
///
/// # Errors
/// When the database fails.
pub async fn forget(unit: &mut Unit, org: OrgId, id: DeliveryId) -> Result<bool, StoreError> {
    let done = sql("DELETE FROM tc_deliveries WHERE org_id = $1 AND id = $2 AND status = 'dead'")
        .bind(org.to_string())
        .bind(id.to_string())
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Drops what arrived before then.
///
/// # Errors
/// When the database fails.
pub async fn drop_delivered(unit: &mut Unit, org: OrgId, before: i64) -> Result<(), StoreError> {
    sql("DELETE FROM tc_deliveries WHERE org_id = $1 AND status = 'delivered' AND delivered_at < $2")
        .bind(org.to_string())
        .bind(before)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}
