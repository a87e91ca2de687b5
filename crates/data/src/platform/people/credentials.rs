use std::str::FromStr;

use toolcrib::id::{CredentialId, OrgId, UserId};

use super::{UserRow, read_user};
use crate::platform::row::{json, parsed, to_json};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// What kind of credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CredentialKind {
    /// A person's session in a browser or terminal.
    Session,
    /// An API token.
    Token,
}

impl CredentialKind {
    fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Token => "token",
        }
    }
}

/// A kind that is none.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no kind of credential")]
pub struct UnknownKind(String);

impl FromStr for CredentialKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        match name {
            "session" => Ok(Self::Session),
            "token" => Ok(Self::Token),
            _ => Err(UnknownKind(name.to_owned())),
        }
    }
}

/// A session or token, without its secret.
#[derive(Clone, Debug)]
pub struct CredentialRow {
    /// The organisation.
    pub org: OrgId,
    /// The credential.
    pub id: CredentialId,
    /// Session or token.
    pub kind: CredentialKind,
    /// Whose it is.
    pub user: UserId,
    /// What its owner calls it.
    pub name: Option<String>,
    /// What it may do beyond calling tools.
    pub scopes: Vec<String>,
    /// Whether a person can be asked.
    pub attended: bool,
    /// When it was made.
    pub created_at: i64,
    /// When it lapses.
    pub expires_at: Option<i64>,
}

/// A credential to store: its row, and the hash of its secret.
#[derive(Debug)]
pub struct NewCredential<'a> {
    /// The row.
    pub row: &'a CredentialRow,
    /// SHA-256 of the secret, as hexadecimal text.
    pub hash: &'a str,
}

fn read_row(row: &Row) -> Result<CredentialRow, StoreError> {
    Ok(CredentialRow {
        org: parsed(row, "org_id")?,
        id: parsed(row, "id")?,
        kind: parsed(row, "kind")?,
        user: parsed(row, "user_id")?,
        name: row.try_get("name")?,
        scopes: json(row, "scopes")?,
        attended: row.try_get("attended")?,
        created_at: row.try_get("created_at")?,
        expires_at: row.try_get("expires_at")?,
    })
}

/// Stores a session or token.
///
/// # Errors
/// When the database fails.
pub async fn insert_credential(unit: &mut Unit, new: NewCredential<'_>) -> Result<(), StoreError> {
    let row = new.row;
    sql(
        "INSERT INTO tc_credentials (org_id, id, kind, hash, user_id, name, scopes, attended, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(row.org.to_string())
    .bind(row.id.to_string())
    .bind(row.kind.name())
    .bind(new.hash)
    .bind(row.user.to_string())
    .bind(row.name.as_deref())
    .bind(to_json("scopes", &row.scopes)?)
    .bind(row.attended)
    .bind(row.created_at)
    .bind(row.expires_at)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// The credential with that secret, and its user, if both are in force. The one look-up that
/// is not scoped: it is what says which organisation a request belongs to.
///
/// # Errors
/// When the database fails.
pub async fn authenticate(
    from: &mut impl ReadFrom,
    hash: &str,
    now: i64,
) -> Result<Option<(CredentialRow, UserRow)>, StoreError> {
    let row = sql(
        "SELECT c.*, u.email AS user_email, u.name AS user_name, u.roles AS user_roles, u.attributes AS user_attributes \
         FROM tc_credentials c JOIN tc_users u ON u.org_id = c.org_id AND u.id = c.user_id \
         WHERE c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $2) AND NOT u.disabled",
    )
    .bind(hash)
    .bind(now)
    .fetch_optional(&mut from.as_conn().await?)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let credential = read_row(&row)?;
    let user = UserRow {
        org: credential.org,
        id: credential.user,
        email: row.try_get("user_email")?,
        name: row.try_get("user_name")?,
        roles: json(&row, "user_roles")?,
        attributes: json(&row, "user_attributes")?,
        disabled: false,
    };
    Ok(Some((credential, user)))
}

/// A credential by its id, in force or not.
///
/// # Errors
/// When the database fails.
pub async fn credential(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: CredentialId,
) -> Result<Option<CredentialRow>, StoreError> {
    let row = sql("SELECT * FROM tc_credentials WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// A user's tokens that are in force, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list_tokens(
    from: &mut impl ReadFrom,
    org: OrgId,
    user: UserId,
    now: i64,
) -> Result<Vec<CredentialRow>, StoreError> {
    let rows = sql(
        "SELECT * FROM tc_credentials WHERE org_id = $1 AND user_id = $2 AND kind = 'token' AND revoked_at IS NULL \
         AND (expires_at IS NULL OR expires_at > $3) ORDER BY id DESC",
    )
    .bind(org.to_string())
    .bind(user.to_string())
    .bind(now)
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter().map(read_row).collect()
}

/// Revokes a user's own session or token. Answers whether there was one to revoke.
///
/// # Errors
/// When the database fails.
pub async fn revoke(
    unit: &mut Unit,
    org: OrgId,
    user: UserId,
    id: CredentialId,
    now: i64,
) -> Result<bool, StoreError> {
    let changed = sql(
        "UPDATE tc_credentials SET revoked_at = $4 WHERE org_id = $1 AND user_id = $2 AND id = $3 AND revoked_at IS NULL",
    )
    .bind(org.to_string())
    .bind(user.to_string())
    .bind(id.to_string())
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Stores a sign-in link that can be spent once.
///
/// # Errors
/// When the database fails.
pub async fn insert_link(
    unit: &mut Unit,
    org: OrgId,
    user: UserId,
    hash: &str,
    expires_at: i64,
) -> Result<(), StoreError> {
    sql("INSERT INTO tc_sign_in_links (org_id, hash, user_id, expires_at) VALUES ($1, $2, $3, $4)")
        .bind(org.to_string())
        .bind(hash)
        .bind(user.to_string())
        .bind(expires_at)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// Spends a sign-in link. Answers with its user the first time, and never again.
///
/// # Errors
/// When the database fails.
pub async fn spend_link(
    unit: &mut Unit,
    hash: &str,
    now: i64,
) -> Result<Option<UserRow>, StoreError> {
    let row = sql(
        "UPDATE tc_sign_in_links SET spent_at = $2 WHERE hash = $1 AND spent_at IS NULL AND expires_at > $2 \
         RETURNING org_id, user_id",
    )
    .bind(hash)
    .bind(now)
    .fetch_optional(&mut unit.as_conn().await?)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let user = sql("SELECT * FROM tc_users WHERE org_id = $1 AND id = $2 AND NOT disabled")
        .bind(row.try_get::<String>("org_id")?)
        .bind(row.try_get::<String>("user_id")?)
        .fetch_optional(&mut unit.as_conn().await?)
        .await?;
    user.as_ref().map(read_user).transpose()
}

/// Drops sign-in links and sessions that have lapsed, of every organisation. Calls keep naming the
/// sessions that made them.
///
/// # Errors
/// When the database fails.
pub async fn drop_lapsed(unit: &mut Unit, now: i64) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM tc_sign_in_links WHERE expires_at <= $1",
        "DELETE FROM tc_credentials WHERE kind = 'session' AND expires_at <= $1",
    ] {
        sql(statement)
            .bind(now)
            .execute(&mut unit.as_conn().await?)
            .await?;
    }
    Ok(())
}
