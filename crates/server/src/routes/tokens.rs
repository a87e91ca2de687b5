//! API tokens of the user.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use jiff::Timestamp;
use serde::Serialize;
use toolcrib_counter::Principal;
use toolcrib_data::platform::people::{CredentialKind, CredentialRow};
use utoipa::ToSchema;

use crate::error::{ApiError, Code};

/// A token, without its secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Token {
    /// The token's id.
    id: String,
    /// What its owner calls it.
    name: String,
    /// What it may do beyond calling tools.
    scopes: Vec<String>,
    /// Whether a person can be asked when it is used.
    attended: bool,
    /// When it was made.
    created_at: String,
    /// When it lapses.
    expires_at: Option<String>,
}

impl From<CredentialRow> for Token {
    fn from(row: CredentialRow) -> Self {
        let time = |micros: i64| {
            Timestamp::from_microsecond(micros)
                .map(|at| at.to_string())
                .unwrap_or_default()
        };
        Self {
            id: row.id.to_string(),
            name: row.name.unwrap_or_default(),
            scopes: row.scopes,
            attended: row.attended,
            created_at: time(row.created_at),
            expires_at: row.expires_at.map(time),
        }
    }
}

/// A token makes no tokens: it could outlive itself, or give itself more than it has.
fn sessions_only(principal: &Principal) -> Result<(), ApiError> {
    match &principal.credential {
        Some(credential) if credential.kind == CredentialKind::Session => Ok(()),
        _ => Err(ApiError::new(
            Code::NotAllowed,
            "Tokens are made and revoked by a person who is signed in.",
        )),
    }
}
