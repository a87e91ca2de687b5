use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::body::Body;
use crate::error::{ApiError, Code};

/// Somebody at the machine, who can read the server's private files.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LocalSignIn {
    /// The secret of this start of the server.
    secret: String,
    /// Who signs in; the first administrator when left out.
    email: Option<String>,
    /// Whether to make a sign-in link instead of a session.
    #[serde(default)]
    link: bool,
}

/// A session for a terminal, or a link for a browser.
#[derive(Serialize, ToSchema)]
pub(crate) struct LocalSession {
    /// The secret to send as a bearer token, or the token of the link.
    secret: String,
}

/// Opens a session for the command line on the same machine.
#[utoipa::path(post, path = "/api/session/local", tag = "session", request_body = LocalSignIn,
    responses((status = 200, body = LocalSession), (status = 401, description = "Not the secret of this server")))]
pub(crate) async fn local(
    State(app): State<App>,
    Body(sign_in): Body<LocalSignIn>,
) -> Result<Json<LocalSession>, ApiError> {
    let known = app.options.local_secret.as_deref().unwrap_or_default();
    if known.is_empty() || !same(known, &sign_in.secret) {
        return Err(ApiError::new(
            Code::NotSignedIn,
            "That is not the secret of this server.",
        ));
    }
    let email = match sign_in.email {
        Some(email) => Some(email),
        None => app.runtime.administrator().await?,
    };
    let email = email.ok_or_else(|| ApiError::not_found("user"))?;
    let secret = if sign_in.link {
        app.runtime.sign_in_link(&email).await?
    } else {
        let session = app.runtime.local_session(&email).await?;
        session.map(|session| session.secret)
    };
    secret
        .map(|secret| Json(LocalSession { secret }))
        .ok_or_else(|| ApiError::not_found("user"))
}

/// Compares without telling by its time how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |differs, (a, b)| differs | (a ^ b))
            == 0
}
