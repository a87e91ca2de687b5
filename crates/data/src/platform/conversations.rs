//! Conversations, and what people wrote in them.

use toolcrib::id::{ConversationId, OrgId, UserId};

use super::Page;
use super::row::parsed;
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A conversation.
#[derive(Clone, Debug)]
pub struct ConversationRow {
    /// The conversation.
    pub id: ConversationId,
    /// Whose it is.
    pub owner: UserId,
    /// The agent it is held with.
    pub agent: String,
    /// The title.
    pub title: String,
    /// Whether all its runs are trials.
    pub trial: bool,
    /// The state of its newest run: `active`, `waiting` or another.
    pub run_state: Option<String>,
    /// When it was begun.
    pub created_at: i64,
    /// When something last happened in it.
    pub updated_at: i64,
}

/// What a person wrote.
#[derive(Clone, Debug)]
pub struct MessageRow {
    /// The message, as its client named it.
    pub id: String,
    /// Its place in the conversation; runs share the numbering.
    pub seq: i64,
    /// Who wrote it.
    pub author: UserId,
    /// The text.
    pub text: String,
    /// When.
    pub created_at: i64,
}

const SELECT: &str = "SELECT c.id, c.owner_id, c.agent, c.title, c.trial, c.created_at, c.updated_at, \
    (SELECT r.state FROM tc_runs r WHERE r.org_id = c.org_id AND r.conversation_id = c.id ORDER BY r.seq DESC LIMIT 1) AS run_state \
    FROM tc_conversations c";

fn read_row(row: &Row) -> Result<ConversationRow, StoreError> {
    Ok(ConversationRow {
        id: parsed(row, "id")?,
        owner: parsed(row, "owner_id")?,
        agent: row.try_get("agent")?,
        title: row.try_get("title")?,
        trial: row.try_get("trial")?,
        run_state: row.try_get("run_state")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// Makes a conversation. Answers whether the id was free.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    unit: &mut Unit,
    org: OrgId,
    conversation: &ConversationRow,
) -> Result<bool, StoreError> {
    let written = sql(
        "INSERT INTO tc_conversations (org_id, id, owner_id, agent, title, trial, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(org.to_string())
    .bind(conversation.id.to_string())
    .bind(conversation.owner.to_string())
    .bind(&conversation.agent)
    .bind(&conversation.title)
    .bind(conversation.trial)
    .bind(conversation.created_at)
    .bind(conversation.updated_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// The conversation of that id, if it is `owner`'s.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: ConversationId,
    owner: UserId,
) -> Result<Option<ConversationRow>, StoreError> {
    let row = sql(format!(
        "{SELECT} WHERE c.org_id = $1 AND c.id = $2 AND c.owner_id = $3"
    ))
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(owner.to_string())
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    row.as_ref().map(read_row).transpose()
}

/// Whether all runs of a conversation are trials; nothing where there is no such conversation.
///
/// # Errors
/// When the database fails.
pub async fn is_trial(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: ConversationId,
) -> Result<Option<bool>, StoreError> {
    let row = sql("SELECT trial FROM tc_conversations WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    Ok(match row {
        Some(row) => Some(row.try_get("trial")?),
        None => None,
    })
}

/// Holds a conversation until the unit ends: messages and runs come into it one after the other.
///
/// # Errors
/// When the database fails.
pub async fn lock(unit: &mut Unit, org: OrgId, id: ConversationId) -> Result<(), StoreError> {
    sql("SELECT 1 FROM tc_conversations WHERE org_id = $1 AND id = $2")
        .holding()
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// A user's conversations that are no trials, the one that something last happened in first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    from: &mut impl ReadFrom,
    org: OrgId,
    owner: UserId,
    page: &Page,
) -> Result<Vec<ConversationRow>, StoreError> {
    let (at, id) = page
        .after
        .as_deref()
        .and_then(|after| after.split_once('.'))
        .unzip();
    let rows = sql(format!(
        "{SELECT} WHERE c.org_id = $1 AND c.owner_id = $2 AND NOT c.trial AND ($3 IS NULL OR (c.updated_at, c.id) < ($3, $4)) \
         ORDER BY c.updated_at DESC, c.id DESC LIMIT $5"
    ))
    .bind(org.to_string())
    .bind(owner.to_string())
    .bind(at.and_then(|at| at.parse::<i64>().ok()))
    .bind(id)
    .bind(i64::from(page.limit))
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

impl ConversationRow {
    /// Where the next page begins after this row.
    #[must_use]
    pub fn cursor(&self) -> String {
        format!("{}.{}", self.updated_at, self.id)
    }
}

/// Gives a conversation another title.
///
/// # Errors
/// When the database fails.
pub async fn rename(
    unit: &mut Unit,
    org: OrgId,
    id: ConversationId,
    owner: UserId,
    title: &str,
) -> Result<bool, StoreError> {
    let changed = sql(
        "UPDATE tc_conversations SET title = $4 WHERE org_id = $1 AND id = $2 AND owner_id = $3",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(owner.to_string())
    .bind(title)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Deletes a conversation with its messages, runs, steps and stream. Its calls stay: they are
/// what happened.
///
/// # Errors
/// When the database fails.
pub async fn delete(
    unit: &mut Unit,
    org: OrgId,
    id: ConversationId,
    owner: UserId,
) -> Result<bool, StoreError> {
    let (org, id) = (org.to_string(), id.to_string());
    let deleted =
        sql("DELETE FROM tc_conversations WHERE org_id = $1 AND id = $2 AND owner_id = $3")
            .bind(&org)
            .bind(&id)
            .bind(owner.to_string())
            .execute(&mut unit.as_conn().await?)
            .await?;
    if deleted.rows_affected() == 0 {
        return Ok(false);
    }
    let of_runs = "run_id IN (SELECT id FROM tc_runs WHERE org_id = $1 AND conversation_id = $2)";
    let statements = [
        format!("DELETE FROM tc_stream_chunks WHERE org_id = $1 AND {of_runs}"),
        format!("DELETE FROM tc_steps WHERE org_id = $1 AND {of_runs}"),
        "DELETE FROM tc_runs WHERE org_id = $1 AND conversation_id = $2".to_owned(),
        "DELETE FROM tc_messages WHERE org_id = $1 AND conversation_id = $2".to_owned(),
        "DELETE FROM tc_handles WHERE org_id = $1 AND conversation_id = $2".to_owned(),
    ];
    for statement in statements {
        sql(statement)
            .bind(&org)
            .bind(&id)
            .execute(&mut unit.as_conn().await?)
            .await?;
    }
    Ok(true)
}

/// Takes the next number of a conversation, and notes that something happened in it.
///
/// # Errors
/// When the database fails or there is no such conversation.
pub async fn next_seq(
    unit: &mut Unit,
    org: OrgId,
    id: ConversationId,
    now: i64,
) -> Result<i64, StoreError> {
    let row = sql(
        "UPDATE tc_conversations SET next_seq = next_seq + 1, updated_at = $3 WHERE org_id = $1 AND id = $2 \
         RETURNING next_seq - 1",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(now)
    .fetch_one(&mut unit.as_conn().await?)
    .await?;
    Ok(row.try_at(0)?)
}

/// Stores what a person wrote. Answers whether the message is new.
///
/// # Errors
/// When the database fails.
pub async fn insert_message(
    unit: &mut Unit,
    org: OrgId,
    conversation: ConversationId,
    message: &MessageRow,
) -> Result<bool, StoreError> {
    let written = sql(
        "INSERT INTO tc_messages (org_id, conversation_id, id, seq, author_id, parts, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (org_id, conversation_id, id) DO NOTHING",
    )
    .bind(org.to_string())
    .bind(conversation.to_string())
    .bind(&message.id)
    .bind(message.seq)
    .bind(message.author.to_string())
    .bind(&message.text)
    .bind(message.created_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// What people wrote in a conversation, in order.
///
/// # Errors
/// When the database fails.
pub async fn messages(
    from: &mut impl ReadFrom,
    org: OrgId,
    conversation: ConversationId,
) -> Result<Vec<MessageRow>, StoreError> {
    let rows = sql(
        "SELECT id, seq, author_id, parts, created_at FROM tc_messages WHERE org_id = $1 AND conversation_id = $2 ORDER BY seq",
    )
    .bind(org.to_string())
    .bind(conversation.to_string())
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(MessageRow {
                id: row.try_get("id")?,
                seq: row.try_get("seq")?,
                author: parsed(row, "author_id")?,
                text: row.try_get("parts")?,
                created_at: row.try_get("created_at")?,
            })
        })
        .collect()
}
