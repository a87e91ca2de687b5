//! Organisations, users, sign-in links, sessions and tokens.

mod credentials;

use serde_json::{Map, Value};
use toolcrib::id::{OrgId, UserId};

pub use credentials::{
    CredentialKind, CredentialRow, NewCredential, authenticate, credential, drop_lapsed,
    insert_credential, insert_link, list_tokens, revoke, spend_link,
};

use super::row::{json, parsed, to_json};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// An organisation.
#[derive(Clone, Debug)]
pub struct OrgRow {
    /// The organisation.
    pub id: OrgId,
    /// A short name, part of the names of its tables.
    pub slug: String,
    /// The name for people.
    pub name: String,
}

/// A user.
#[derive(Clone, Debug)]
pub struct UserRow {
    /// The organisation.
    pub org: OrgId,
    /// The user.
    pub id: UserId,
    /// The address, unique in the organisation.
    pub email: String,
    /// The name for people.
    pub name: String,
    /// The roles.
    pub roles: Vec<String>,
    /// Attributes that row conditions may name.
    pub attributes: Map<String, Value>,
    /// Whether the user may not sign in.
    pub disabled: bool,
}

fn read_user(row: &Row) -> Result<UserRow, StoreError> {
    Ok(UserRow {
        org: parsed(row, "org_id")?,
        id: parsed(row, "id")?,
        email: row.try_get("email")?,
        name: row.try_get("name")?,
        roles: json(row, "roles")?,
        attributes: json(row, "attributes")?,
        disabled: row.try_get("disabled")?,
    })
}

/// The organisations, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn orgs(from: &mut impl ReadFrom) -> Result<Vec<OrgRow>, StoreError> {
    let rows = sql("SELECT id, slug, name FROM tc_orgs ORDER BY created_at, id")
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(OrgRow {
                id: parsed(row, "id")?,
                slug: row.try_get("slug")?,
                name: row.try_get("name")?,
            })
        })
        .collect()
}

/// Makes an organisation.
///
/// # Errors
/// When the database fails, or the slug is taken.
pub async fn insert_org(unit: &mut Unit, org: &OrgRow, now: i64) -> Result<(), StoreError> {
    sql("INSERT INTO tc_orgs (id, slug, name, created_at) VALUES ($1, $2, $3, $4)")
        .bind(org.id.to_string())
        .bind(&org.slug)
        .bind(&org.name)
        .bind(now)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(())
}

/// Makes a user.
///
/// # Errors
/// When the database fails, or the address is taken.
pub async fn insert_user(unit: &mut Unit, user: &UserRow, now: i64) -> Result<(), StoreError> {
    sql(
        "INSERT INTO tc_users (org_id, id, email, name, roles, attributes, disabled, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(user.org.to_string())
    .bind(user.id.to_string())
    .bind(&user.email)
    .bind(&user.name)
    .bind(to_json("roles", &user.roles)?)
    .bind(to_json("attributes", &user.attributes)?)
    .bind(user.disabled)
    .bind(now)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(())
}

/// The user of that id.
///
/// # Errors
/// When the database fails.
pub async fn user(
    from: &mut impl ReadFrom,
    org: OrgId,
    id: UserId,
) -> Result<Option<UserRow>, StoreError> {
    let row = sql("SELECT * FROM tc_users WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_user).transpose()
}

/// The user with that address.
///
/// # Errors
/// When the database fails.
pub async fn user_by_email(
    from: &mut impl ReadFrom,
    org: OrgId,
    email: &str,
) -> Result<Option<UserRow>, StoreError> {
    let row = sql("SELECT * FROM tc_users WHERE org_id = $1 AND email = $2")
        .bind(org.to_string())
        .bind(email)
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_user).transpose()
}

/// All users, by address.
///
/// # Errors
/// When the database fails.
pub async fn users(from: &mut impl ReadFrom, org: OrgId) -> Result<Vec<UserRow>, StoreError> {
    let rows = sql("SELECT * FROM tc_users WHERE org_id = $1 ORDER BY email")
        .bind(org.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_user).collect()
}

/// Gives a user other roles.
///
/// # Errors
/// When the database fails.
pub async fn set_roles(
    unit: &mut Unit,
    org: OrgId,
    id: UserId,
    roles: &[String],
) -> Result<bool, StoreError> {
    let changed = sql("UPDATE tc_users SET roles = $3 WHERE org_id = $1 AND id = $2")
        .bind(org.to_string())
        .bind(id.to_string())
        .bind(to_json("roles", &roles)?)
        .execute(&mut unit.as_conn().await?)
        .await?;
    Ok(changed.rows_affected() == 1)
}
