use toolcrib::id::{ConversationId, OrgId, UserId};

use super::{COLUMNS, CallRow, Via, read_row};
use crate::platform::Page;
use crate::platform::like::{ESCAPE, holding};
use crate::platform::sql::sql;
use crate::{ReadFrom, StoreError};

/// Which calls to list.
#[derive(Clone, Debug, Default)]
pub struct CallFilter {
    /// Only calls of this user.
    pub asker: Option<UserId>,
    /// Only calls in this state.
    pub state: Option<String>,
    /// Only calls of this tool.
    pub tool: Option<String>,
    /// Only calls of this conversation.
    pub conversation: Option<ConversationId>,
    /// Only calls of this agent.
    pub agent: Option<String>,
    /// Only calls that came in this way.
    pub via: Option<Via>,
    /// Only calls asked from then on.
    pub from: Option<i64>,
    /// Only calls asked before then.
    pub to: Option<i64>,
    /// Only calls with this text in what was told of them, or in the reason of a decision.
    pub text: Option<String>,
    /// Which endings.
    pub outcome: Outcome,
}

/// How calls ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// In any way, or not yet.
    #[default]
    Any,
    /// Without doing what was asked.
    NotDone,
}

/// Calls, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    from: &mut impl ReadFrom,
    org: OrgId,
    filter: &CallFilter,
    page: &Page,
) -> Result<Vec<CallRow>, StoreError> {
    let outcome = match filter.outcome {
        Outcome::Any => "",
        Outcome::NotDone => {
            "AND state IN ('refused', 'rejected', 'failed', 'expired', 'cancelled', 'not_started', 'unknown')"
        }
    };
    let text = match filter.text {
        None => String::new(),
        Some(_) => format!(
            "AND (lower(error) LIKE $12 {ESCAPE} OR EXISTS (SELECT 1 FROM tc_call_events AS e \
               WHERE e.org_id = tc_calls.org_id AND e.call_id = tc_calls.id AND lower(e.reason) LIKE $12 {ESCAPE}))"
        ),
    };
    let query = sql(format!(
        "SELECT {COLUMNS} FROM tc_calls WHERE org_id = $1 \
           AND ($2 IS NULL OR asker_id = $2) AND ($3 IS NULL OR state = $3) AND ($4 IS NULL OR tool = $4) \
           AND ($5 IS NULL OR conversation_id = $5) AND ($6 IS NULL OR id < $6) \
           AND ($8 IS NULL OR agent = $8) AND ($9 IS NULL OR via = $9) \
           AND ($10 IS NULL OR asked_at >= $10) AND ($11 IS NULL OR asked_at < $11) {outcome} {text} \
         ORDER BY id DESC LIMIT $7"
    ));
    let pattern = filter
        .text
        .as_deref()
        .map(|text| holding(&text.to_lowercase()));
    let rows = query
        .bind(org.to_string())
        .bind(filter.asker.map(|id| id.to_string()))
        .bind(filter.state.as_deref())
        .bind(filter.tool.as_deref())
        .bind(filter.conversation.map(|id| id.to_string()))
        .bind(page.after.as_deref())
        .bind(i64::from(page.limit))
        .bind(filter.agent.as_deref())
        .bind(filter.via.map(Via::name))
        .bind(filter.from)
        .bind(filter.to);
    let rows = match pattern {
        Some(pattern) => rows.bind(pattern),
        None => rows,
    };
    let rows = rows.fetch_all(&mut from.as_conn().await?).await?;
    rows.iter().map(read_row).collect()
}

/// How a tool was used lately.
#[derive(Clone, Debug)]
pub struct ToolStats {
    /// The tool.
    pub tool: String,
    /// How many calls.
    pub calls: i64,
    /// How many of them did not do what was asked.
    pub failed: i64,
    /// How long one typically took, in microseconds.
    pub typical_micros: Option<i64>,
}

/// How each tool was used since `since`; a trial is no use. The typical time is the median of the
/// newest 200 calls.
///
/// # Errors
/// When the database fails.
pub async fn stats(
    from: &mut impl ReadFrom,
    org: OrgId,
    since: i64,
) -> Result<Vec<ToolStats>, StoreError> {
    let rows = sql(
        "WITH recent AS ( \
           SELECT tool, state, ended_at - started_at AS took, \
                  row_number() OVER (PARTITION BY tool ORDER BY asked_at DESC) AS age \
           FROM tc_calls WHERE org_id = $1 AND asked_at >= $2 AND trial IS NULL), \
         timed AS ( \
           SELECT tool, took, row_number() OVER (PARTITION BY tool ORDER BY took) AS place, \
                  count(*) OVER (PARTITION BY tool) AS of_all \
           FROM recent WHERE took IS NOT NULL AND age <= 200) \
         SELECT tool, count(*) AS calls, \
                sum(CASE WHEN state IN ('failed', 'refused', 'unknown') THEN 1 ELSE 0 END) AS failed, \
                (SELECT took FROM timed WHERE timed.tool = recent.tool AND place = (of_all + 1) / 2) AS typical \
         FROM recent GROUP BY tool",
    )
    .bind(org.to_string())
    .bind(since)
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ToolStats {
                tool: row.try_get("tool")?,
                calls: row.try_get("calls")?,
                failed: row.try_get("failed")?,
                typical_micros: row.try_get("typical")?,
            })
        })
        .collect()
}
