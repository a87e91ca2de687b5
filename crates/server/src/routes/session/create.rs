use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Session;
use crate::app::App;
use crate::auth;
use crate::body::Body;
use crate::error::{ApiError, Code};

/// A sign-in link to spend.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The token of the link.
    token: String,
}

/// Spends a sign-in link and opens a session.
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = SignIn,
    responses((status = 200, body = Session), (status = 401, description = "The link is spent or has lapsed")))]
pub(crate) async fn create(
    State(app): State<App>,
    Body(sign_in): Body<SignIn>,
) -> Result<Response, ApiError> {
    let signed_in = app.runtime.sign_in(&sign_in.token).await?.ok_or_else(|| {
        let detail = "The link was used before or is older than half an hour. Make a new one with `toolcrib user link <email>`.";
        ApiError::new(Code::LinkSpent, detail)
    })?;
    let cookie = [(header::SET_COOKIE, auth::set_cookie(&signed_in.secret))];
    Ok((
        cookie,
        Json(Session::new(&app.runtime, &signed_in.principal)),
    )
        .into_response())
}
