//! Stored decisions that calls wait for.

use std::str::FromStr;

use serde_json::Value;
use toolcrib::id::{ApprovalId, CallId, ConversationId, CredentialId, OrgId, UserId};

use super::Page;
use super::like::{ESCAPE, holding};
use super::row::{json, parsed, parsed_opt, to_json};
use super::tools::ApprovalTerms;
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A decision that a call waits for, or that was made.
#[derive(Clone, Debug)]
pub struct ApprovalRow {
    /// The organisation.
    pub org: OrgId,
    /// The approval.
    pub id: ApprovalId,
    /// The call that waits.
    pub call: CallId,
    /// The conversation that the call belongs to.
    pub conversation: Option<ConversationId>,
    /// Who asked.
    pub asker: UserId,
    /// How it is decided on, as that was when it was asked.
    pub terms: ApprovalTerms,
    /// The arguments that it was asked with, if whoever decided edited them.
    pub arguments_before: Option<String>,
    /// Where it stands.
    pub status: ApprovalStatus,
    /// Hash of the arguments that are decided on, and of the nonce.
    pub arguments_hash: String,
    /// What nobody outside knows of: without it who sees a part could guess the rest by its hash.
    pub nonce: String,
    /// What the card shows.
    pub card: Value,
    /// What the affected records looked like when the card was drawn.
    pub fingerprint: Option<String>,
    /// When it was asked.
    pub created_at: i64,
    /// When it lapses.
    pub expires_at: i64,
    /// When it was decided.
    pub decided_at: Option<i64>,
    /// Who decided.
    pub decider: Option<UserId>,
    /// The reason given.
    pub reason: Option<String>,
}

/// Where an approval stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalStatus {
    /// Nobody decided yet.
    Pending,
    /// Decided in favour.
    Approved,
    /// Decided against.
    Rejected,
    /// Sent back with a wish.
    ChangeRequested,
    /// Nobody decided in time.
    Expired,
    /// The asker went on with a new message.
    Superseded,
    /// The run was stopped.
    Cancelled,
}

impl ApprovalStatus {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::ChangeRequested => "change_requested",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A name that is no status.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0:?} is not the status of an approval")]
pub struct UnknownStatus(String);

impl FromStr for ApprovalStatus {
    type Err = UnknownStatus;

    fn from_str(name: &str) -> Result<Self, UnknownStatus> {
        Ok(match name {
            "pending" => Self::Pending,
            "approved" => Self::Approved,
            "rejected" => Self::Rejected,
            "change_requested" => Self::ChangeRequested,
            "expired" => Self::Expired,
            "superseded" => Self::Superseded,
            "cancelled" => Self::Cancelled,
            _ => return Err(UnknownStatus(name.to_owned())),
        })
    }
}

/// Which approvals to list.
#[derive(Clone, Debug, Default)]
pub struct ApprovalFilter {
    /// Only those of this user's calls, and those that members of these roles decide.
    pub reader: Option<(UserId, Vec<String>)>,
    /// Only those in this status.
    pub status: Option<ApprovalStatus>,
    /// Only those of this conversation.
    pub conversation: Option<ConversationId>,
}

fn read_row(row: &Row) -> Result<ApprovalRow, StoreError> {
    Ok(ApprovalRow {
        org: parsed(row, "org_id")?,
        id: parsed(row, "id")?,
        call: parsed(row, "call_id")?,
        conversation: parsed_opt(row, "conversation_id")?,
        asker: parsed(row, "asker_id")?,
        terms: json(row, "terms")?,
        arguments_before: row.try_get("arguments_before")?,
        status: parsed(row, "status")?,
        arguments_hash: row.try_get("arguments_hash")?,
        nonce: row.try_get("nonce")?,
        card: json(row, "card")?,
        fingerprint: row.try_get("fingerprint")?,
        created_at: row.try_get("created_at")?,
        expires_at: row.try_get("expires_at")?,
        decided_at: row.try_get("decided_at")?,
        decider: parsed_opt(row, "decider_id")?,
        reason: row.try_get("reason")?,
    })
}

/// Stores an approval that a call begins to wait for.
///
/// # Errors
/// When the database fails.
pub async fn insert(unit: &mut Unit, approval: &ApprovalRow) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_approvals (org_id, id, call_id, conversation_id, asker_id, status, arguments_hash, card, \
         fingerprint, created_at, expires_at, terms, approver_roles, nonce) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(approval.org.to_string())
    .bind(approval.id.to_string())
    .bind(approval.call.to_string())
    .bind(approval.conversation.map(|id| id.to_string()))
    .bind(approval.asker.to_string())
    .bind(approval.status.name())
    .bind(&approval.arguments_hash)
    .bind(to_json("card", &approval.card)?)
    .bind(approval.fingerprint.as_deref())
    .bind(approval.created_at)
    .bind(approval.expires_at)
    .bind(to_json("terms", &approval.terms)?)
    .bind(to_json("approver_roles", &approval.terms.approver_roles)?)
    .bind(&approval.nonce)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// The approval of that id.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: ApprovalId,
) -> Result<Option<ApprovalRow>, StoreError> {
    let row = sql("SELECT * FROM tc_approvals WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// The approval that a call waits for, or waited for.
///
/// # Errors
/// When the database fails.
pub async fn of_call(
    from: &mut impl ReadFrom,
    org: OrgId,
    call: CallId,
) -> Result<Option<ApprovalRow>, StoreError> {
    let row = sql("SELECT * FROM tc_approvals WHERE org_id = $1 AND call_id = $2")
        .bind(org.to_string())
        .bind(call.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// Approvals, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    from: &mut impl ReadFrom,
    org: OrgId,
    filter: &ApprovalFilter,
    page: &Page,
) -> Result<Vec<ApprovalRow>, StoreError> {
    let (reader, roles) = match &filter.reader {
        Some((reader, roles)) => (Some(reader.to_string()), roles.as_slice()),
        None => (None, [].as_slice()),
    };
    let mut theirs = String::new();
    for number in 0..roles.len() {
        theirs.push_str(&format!(" OR approver_roles LIKE ${} {ESCAPE}", number + 7));
    }
    let query = sql(format!(
        "SELECT * FROM tc_approvals WHERE org_id = $1 AND ($2 IS NULL OR asker_id = $2{theirs}) \
           AND ($3 IS NULL OR status = $3) AND ($4 IS NULL OR conversation_id = $4) AND ($5 IS NULL OR id < $5) \
         ORDER BY id DESC LIMIT $6",
    ))
    .bind(org.to_string())
    .bind(reader)
    .bind(filter.status.map(ApprovalStatus::name))
    .bind(filter.conversation.map(|id| id.to_string()))
    .bind(page.after.as_deref())
    .bind(i64::from(page.limit));
    let query = roles.iter().fold(query, |query, role| {
        query.bind(holding(&Value::from(role.as_str()).to_string()))
    });
    let rows = query.fetch_all(&mut from.as_conn().await?).await?;
    rows.iter().map(read_row).collect()
}

/// What an edit of the arguments makes of an approval.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The arguments that it was asked with.
    pub arguments_before: String,
    /// Hash of the new arguments.
    pub arguments_hash: String,
    /// What the card shows of them.
    pub card: Value,
    /// What the affected records look like.
    pub fingerprint: Option<String>,
}

/// Puts other arguments into a pending approval. Answers whether it was still pending.
///
/// # Errors
/// When the database fails.
pub async fn edit(
    unit: &mut Unit,
    org: OrgId,
    id: ApprovalId,
    edited: &Edited,
) -> Result<bool, StoreError> {
    let changed = sql(
        "UPDATE tc_approvals SET arguments_before = coalesce(arguments_before, $3), arguments_hash = $4, card = $5, fingerprint = $6 \
         WHERE org_id = $1 AND id = $2 AND status = 'pending'",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(&edited.arguments_before)
    .bind(&edited.arguments_hash)
    .bind(to_json("card", &edited.card)?)
    .bind(edited.fingerprint.as_deref())
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Pending approvals, of every organisation, that lapse at `now` or earlier.
///
/// # Errors
/// When the database fails.
pub async fn lapsed(
    from: &mut impl ReadFrom,
    now: i64,
    limit: u32,
) -> Result<Vec<ApprovalRow>, StoreError> {
    let rows = sql("SELECT * FROM tc_approvals WHERE status = 'pending' AND expires_at <= $1 ORDER BY expires_at LIMIT $2")
        .bind(now)
        .bind(i64::from(limit))
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_row).collect()
}

/// A decision to write down.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What it becomes.
    pub status: ApprovalStatus,
    /// When.
    pub at: i64,
    /// By whom, if a person decided.
    pub by: Option<UserId>,
    /// With which session or token.
    pub credential: Option<CredentialId>,
    /// The reason given.
    pub reason: Option<String>,
}

/// Decides a pending approval. Answers whether it was still pending: of two decisions one counts.
///
/// # Errors
/// When the database fails.
pub async fn decide(
    unit: &mut Unit,
    org: OrgId,
    id: ApprovalId,
    decided: &Decided,
) -> Result<bool, StoreError> {
    let changed = sql(
        "UPDATE tc_approvals SET status = $3, decided_at = $4, decider_id = $5, decider_credential_id = $6, reason = $7 \
         WHERE org_id = $1 AND id = $2 AND status = 'pending'",
    )
    .bind(org.to_string())
    .bind(id.to_string())
    .bind(decided.status.name())
    .bind(decided.at)
    .bind(decided.by.map(|id| id.to_string()))
    .bind(decided.credential.map(|id| id.to_string()))
    .bind(decided.reason.as_deref())
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(changed.rows_affected() == 1)
}
