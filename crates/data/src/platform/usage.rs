//! What language models were used for, and how much of it there may be.

use toolcrib::id::{OrgId, UsagePolicyId, UserId};

use super::row::{decode, parsed};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// The microseconds of a day.
pub const DAY: i64 = 24 * 3600 * 1_000_000;

/// What one user used of one model through one agent on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRow {
    /// The day, from 1970 on, in UTC.
    pub day: i64,
    /// On whose behalf.
    pub user: UserId,
    /// The agent.
    pub agent: String,
    /// The language model.
    pub model: String,
    /// How much.
    pub used: Used,
}

/// How much was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Messages that were answered.
    pub requests: i64,
    /// Calls of the model.
    pub steps: i64,
    /// Tokens that it read.
    pub input_tokens: i64,
    /// Tokens that it wrote.
    pub output_tokens: i64,
    /// Of those read, from a cache.
    pub cached_tokens: i64,
    /// Of those written, for reasoning.
    pub reasoning_tokens: i64,
}

/// How much a user, the users with a role, or everybody may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRow {
    /// Its id.
    pub id: UsagePolicyId,
    /// Of whom it speaks.
    pub subject: PolicySubject,
    /// The most tokens of a calendar month.
    pub monthly_tokens: Option<i64>,
    /// The most messages of a minute.
    pub requests_per_minute: Option<i64>,
    /// The version, from 1.
    pub version: i64,
}

/// Of whom a policy speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySubject {
    /// Everybody.
    Org,
    /// Users with this role.
    Role(String),
    /// This user.
    User(UserId),
}

impl PolicySubject {
    /// The stored and public name of its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Org => "org",
            Self::Role(_) => "role",
            Self::User(_) => "user",
        }
    }

    /// Which role or user, as text.
    #[must_use]
    pub fn which(&self) -> String {
        match self {
            Self::Org => String::new(),
            Self::Role(role) => role.clone(),
            Self::User(user) => user.to_string(),
        }
    }
}

/// Adds to what was used.
///
/// # Errors
/// When the database fails.
pub async fn add(unit: &mut Unit, org: OrgId, row: &UsageRow) -> Result<(), StoreError> {
    let used = &row.used;
    sql(
        "INSERT INTO tc_usage (org_id, day, user_id, agent, model, requests, steps, input_tokens, output_tokens, cached_tokens, reasoning_tokens) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (org_id, user_id, day, agent, model) DO UPDATE SET requests = tc_usage.requests + excluded.requests, \
           steps = tc_usage.steps + excluded.steps, input_tokens = tc_usage.input_tokens + excluded.input_tokens, \
           output_tokens = tc_usage.output_tokens + excluded.output_tokens, \
           cached_tokens = tc_usage.cached_tokens + excluded.cached_tokens, \
           reasoning_tokens = tc_usage.reasoning_tokens + excluded.reasoning_tokens",
    )
    .bind(org.to_string())
    .bind(row.day)
    .bind(row.user.to_string())
    .bind(&row.agent)
    .bind(&row.model)
    .bind(used.requests)
    .bind(used.steps)
    .bind(used.input_tokens)
    .bind(used.output_tokens)
    .bind(used.cached_tokens)
    .bind(used.reasoning_tokens)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// How many tokens a user used from that day on.
///
/// # Errors
/// When the database fails.
pub async fn tokens_since(
    from: &mut impl ReadFrom,
    org: OrgId,
    user: UserId,
    day: i64,
) -> Result<i64, StoreError> {
    let row = sql(
        "SELECT CAST(coalesce(sum(input_tokens + output_tokens), 0) AS BIGINT) AS tokens FROM tc_usage \
         WHERE org_id = $1 AND user_id = $2 AND day >= $3",
    )
    .bind(org.to_string())
    .bind(user.to_string())
    .bind(day)
    .fetch_one(&mut from.as_conn().await?)
    .await?;
    Ok(row.try_get("tokens")?)
}

/// How many messages of a user began to be answered since then.
///
/// # Errors
/// When the database fails.
pub async fn requests_since(
    from: &mut impl ReadFrom,
    org: OrgId,
    user: UserId,
    since: i64,
) -> Result<i64, StoreError> {
    let row = sql(
        "SELECT count(*) AS n FROM tc_runs WHERE org_id = $1 AND asker_id = $2 AND created_at > $3",
    )
    .bind(org.to_string())
    .bind(user.to_string())
    .bind(since)
    .fetch_one(&mut from.as_conn().await?)
    .await?;
    Ok(row.try_get("n")?)
}

/// What was used from one day to another, of everybody or one user, the newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    from: &mut impl ReadFrom,
    org: OrgId,
    user: Option<UserId>,
    days: (i64, i64),
) -> Result<Vec<UsageRow>, StoreError> {
    let rows = sql(
        "SELECT day, user_id, agent, model, requests, steps, input_tokens, output_tokens, cached_tokens, reasoning_tokens \
         FROM tc_usage WHERE org_id = $1 AND ($2 IS NULL OR user_id = $2) AND day BETWEEN $3 AND $4 \
         ORDER BY day DESC, user_id, agent, model LIMIT 10001",
    )
    .bind(org.to_string())
    .bind(user.map(|id| id.to_string()))
    .bind(days.0)
    .bind(days.1)
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_usage).collect()
}

fn read_usage(row: &Row) -> Result<UsageRow, StoreError> {
    Ok(UsageRow {
        day: row.try_get("day")?,
        user: parsed(row, "user_id")?,
        agent: row.try_get("agent")?,
        model: row.try_get("model")?,
        used: Used {
            requests: row.try_get("requests")?,
            steps: row.try_get("steps")?,
            input_tokens: row.try_get("input_tokens")?,
            output_tokens: row.try_get("output_tokens")?,
            cached_tokens: row.try_get("cached_tokens")?,
            reasoning_tokens: row.try_get("reasoning_tokens")?,
        },
    })
}

fn read_policy(row: &Row) -> Result<PolicyRow, StoreError> {
    let which: String = row.try_get("subject")?;
    let kind: String = row.try_get("subject_kind")?;
    Ok(PolicyRow {
        id: parsed(row, "id")?,
        subject: match kind.as_str() {
            "org" => PolicySubject::Org,
            "role" => PolicySubject::Role(which),
            _ => {
                let user = which.parse();
                PolicySubject::User(user.map_err(|error| decode("subject", error))?)
            }
        },
        monthly_tokens: row.try_get("monthly_tokens")?,
        requests_per_minute: row.try_get("requests_per_minute")?,
        version: row.try_get("version")?,
    })
}

/// All policies.
///
/// # Errors
/// When the database fails.
pub async fn policies(from: &mut impl ReadFrom, org: OrgId) -> Result<Vec<PolicyRow>, StoreError> {
    let rows = sql(
        "SELECT id, subject_kind, subject, monthly_tokens, requests_per_minute, version FROM tc_usage_policies \
         WHERE org_id = $1 ORDER BY subject_kind, subject",
    )
    .bind(org.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_policy).collect()
}

/// Saves a policy as its next version, if it still stands at `row.version` (0: it is new), and nobody
/// else speaks of the same. Answers whether it was saved.
///
/// # Errors
/// When the database fails.
pub async fn save_policy(unit: &mut Unit, org: OrgId, row: &PolicyRow) -> Result<bool, StoreError> {
    let text = match row.version {
        0 => {
            "INSERT INTO tc_usage_policies (org_id, id, subject_kind, subject, monthly_tokens, requests_per_minute, version) \
             VALUES ($1, $2, $3, $4, $5, $6, $7 + 1) ON CONFLICT (org_id, subject_kind, subject) DO NOTHING"
        }
        _ => {
            "UPDATE tc_usage_policies SET monthly_tokens = $5, requests_per_minute = $6, version = version + 1 \
             WHERE org_id = $1 AND id = $2 AND subject_kind = $3 AND subject = $4 AND version = $7"
        }
    };
    let done = sql(text)
        .bind(org.to_string())
        .bind(row.id.to_string())
        .bind(row.subject.kind())
        .bind(row.subject.which())
        .bind(row.monthly_tokens)
        .bind(row.requests_per_minute)
        .bind(row.version)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes a policy; whether it was there.
///
/// # Errors
/// When the database fails.
pub async fn delete_policy(
    unit: &mut Unit,
    org: OrgId,
    id: UsagePolicyId,
) -> Result<bool, StoreError> {
    let done = sql("DELETE FROM tc_usage_policies WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(done.rows_affected() > 0)
}
