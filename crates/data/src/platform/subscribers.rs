//! Who is told of calls, or asked before them.

use std::str::FromStr;

use toolcrib::id::{OrgId, SubscriberId, UserId};

use super::row::{json, parsed, parsed_opt, to_json};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A webhook that events go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriberRow {
    /// Its id.
    pub id: SubscriberId,
    /// What people call it.
    pub name: String,
    /// Where events are sent.
    pub url: String,
    /// The tools whose events it gets; all, where there are none.
    pub tools: Vec<String>,
    /// What it has to do with events before calls.
    pub pre: PreMode,
    /// Whether it is told after calls.
    pub post: bool,
    /// How long it may take to answer, in milliseconds.
    pub timeout_ms: u32,
    /// Whether it gets anything.
    pub enabled: bool,
    /// Which of its keys signs.
    pub key_version: i64,
    /// The version, from 1.
    pub version: i64,
    /// Who made it.
    pub created_by: Option<UserId>,
    /// When.
    pub created_at: i64,
}

/// What a subscriber has to do with events before calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreMode {
    /// Nothing.
    #[default]
    Off,
    /// It is told; the call does not wait for it.
    Async,
    /// It is asked: without its consent the call does not run.
    Sync,
}

impl PreMode {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Async => "async",
            Self::Sync => "sync",
        }
    }
}

/// A name that is no such mode.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is none of off, async and sync")]
pub struct UnknownMode(String);

impl FromStr for PreMode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        let all = [Self::Off, Self::Async, Self::Sync];
        let found = all.into_iter().find(|mode| mode.name() == text);
        found.ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

const COLUMNS: &str = "id, name, url, tools, pre, post, timeout_ms, enabled, key_version, version, created_by, created_at";

fn read_row(row: &Row) -> Result<SubscriberRow, StoreError> {
    let timeout: i64 = row.try_get("timeout_ms")?;
    Ok(SubscriberRow {
        id: parsed(row, "id")?,
        name: row.try_get("name")?,
        url: row.try_get("url")?,
        tools: json(row, "tools")?,
        pre: parsed(row, "pre")?,
        post: row.try_get("post")?,
        timeout_ms: u32::try_from(timeout).unwrap_or(u32::MAX),
        enabled: row.try_get("enabled")?,
        key_version: row.try_get("key_version")?,
        version: row.try_get("version")?,
        created_by: parsed_opt(row, "created_by")?,
        created_at: row.try_get("created_at")?,
    })
}

/// All of them, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(from: &mut impl ReadFrom, org: OrgId) -> Result<Vec<SubscriberRow>, StoreError> {
    let rows = sql(format!(
        "SELECT {COLUMNS} FROM tc_subscribers WHERE org_id = $1 ORDER BY name"
    ))
    .bind(org.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// The one with that id.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: SubscriberId,
) -> Result<Option<SubscriberRow>, StoreError> {
    let row = sql(format!(
        "SELECT {COLUMNS} FROM tc_subscribers WHERE org_id = $1 AND id = $2"
    ))
    .bind(org.to_string())
    .bind(id.to_string())
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Why one was not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSaved {
    /// Another one has the name.
    NameTaken,
    /// Somebody else saved in between, or deleted it.
    Changed,
}

/// Saves one as its next version, if it still stands at `row.version` (0: it is new).
///
/// # Errors
/// When the database fails.
pub async fn save(
    unit: &mut Unit,
    org: OrgId,
    row: &SubscriberRow,
) -> Result<Result<SubscriberRow, NotSaved>, StoreError> {
    let taken =
        sql("SELECT 1 AS taken FROM tc_subscribers WHERE org_id = $1 AND name = $2 AND id <> $3")
            .bind(org.to_string())
            .bind(&row.name)
            .bind(row.id.to_string())
            .fetch_optional(&mut unit.as_conn().await?)
            .await?;
    if taken.is_some() {
        return Ok(Err(NotSaved::NameTaken));
    }
    let saved = SubscriberRow {
        version: row.version + 1,
        ..row.clone()
    };
    let text = match row.version {
        0 => {
            "INSERT INTO tc_subscribers (org_id, id, name, url, tools, pre, post, timeout_ms, enabled, key_version, version, created_by, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING"
        }
        _ => {
            "UPDATE tc_subscribers SET name = $3, url = $4, tools = $5, pre = $6, post = $7, timeout_ms = $8, \
               enabled = $9, key_version = $10, version = $11, created_by = $12, created_at = $13 \
             WHERE org_id = $1 AND id = $2 AND version = $11 - 1"
        }
    };
    let done = sql(text)
        .bind(org.to_string())
        .bind(saved.id.to_string())
        .bind(&saved.name)
        .bind(&saved.url)
        .bind(to_json("tools", &saved.tools)?)
        .bind(saved.pre.name())
        .bind(saved.post)
        .bind(i64::from(saved.timeout_ms))
        .bind(saved.enabled)
        .bind(saved.key_version)
        .bind(saved.version)
        .bind(saved.created_by.map(|id| id.to_string()))
        .bind(saved.created_at)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(match done.rows_affected() {
        // Somebody took the name at the same moment.
        0 if row.version == 0 => Err(NotSaved::NameTaken),
        0 => Err(NotSaved::Changed),
        _ => Ok(saved),
    })
}

/// Deletes one, with what is on its way to it; whether it was there.
///
/// # Errors
/// When the database fails.
pub async fn delete(unit: &mut Unit, org: OrgId, id: SubscriberId) -> Result<bool, StoreError> {
    let mut conn = unit.as_conn().await?;
    let mut done = 0;
    for text in [
        "DELETE FROM tc_deliveries WHERE org_id = $1 AND subscriber = $2",
        "DELETE FROM tc_subscribers WHERE org_id = $1 AND id = $2",
    ] {
        let deleted = sql(text).bind(org.to_string()).bind(id.to_string());
        done = deleted.execute(&mut conn).await?.rows_affected();
    }
    Ok(done > 0)
}
