use axum::Json;
use axum::extract::State;
use http::StatusCode;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use toolcrib_counter::Scope;
use toolcrib_runtime::NewToken;
use utoipa::ToSchema;

use super::{Token, sessions_only};
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};

/// A token to make.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TokenToMake {
    /// What to call it.
    name: String,
    /// What it may do beyond calling tools: `approvals:decide`, or nothing.
    #[serde(default)]
    scopes: Vec<String>,
    /// Whether a person can be asked when it is used; else what needs a person is refused.
    #[serde(default)]
    attended: bool,
    /// In how many days it lapses; never when left out.
    days: Option<u16>,
}

/// A token with its secret, which is shown this once.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeToken {
    token: Token,
    secret: String,
}

/// Makes an API token for the user.
#[utoipa::path(post, path = "/api/tokens", tag = "tokens", request_body = TokenToMake, responses((status = 201, body = MadeToken)))]
pub(crate) async fn create(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(wanted): Body<TokenToMake>,
) -> Result<(StatusCode, Json<MadeToken>), ApiError> {
    sessions_only(&principal)?;
    let name: String = wanted.name.trim().chars().take(100).collect();
    if name.is_empty() {
        return Err(ApiError::new(
            Code::InvalidRequest,
            "Give the token a name.",
        ));
    }
    let known = Scope::DecideApprovals.name();
    if let Some(scope) = wanted.scopes.iter().find(|scope| *scope != known) {
        let detail = format!("There is no scope {scope:?}; there is: {known}.");
        return Err(ApiError::new(Code::InvalidRequest, detail));
    }
    let new = NewToken {
        name,
        scopes: wanted.scopes,
        attended: wanted.attended,
        lifetime: wanted
            .days
            .map(|days| SignedDuration::from_hours(i64::from(days) * 24)),
    };
    let (secret, row) = app.runtime.new_token(principal.user, &new).await?;
    Ok((
        StatusCode::CREATED,
        Json(MadeToken {
            token: row.into(),
            secret,
        }),
    ))
}
