use axum::extract::State;
use http::StatusCode;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Stops what is under way in a conversation.
#[utoipa::path(post, path = "/api/conversations/{id}/stop", tag = "conversations", params(("id" = String, Path)),
    responses((status = 204, description = "Stopped, or nothing ran"), (status = 404, description = "No such conversation")))]
pub(crate) async fn stop(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<StatusCode, ApiError> {
    let stopped = app.runtime.stop(&principal, parse(&id)?).await?;
    stopped
        .map(|()| StatusCode::NO_CONTENT)
        .ok_or_else(|| ApiError::not_found("conversation"))
}
