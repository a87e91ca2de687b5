use axum::extract::State;
use http::StatusCode;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Deletes a conversation, ending what waits in it. Its calls stay on record.
#[utoipa::path(delete, path = "/api/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted"), (status = 404, description = "No such conversation")))]
pub(crate) async fn delete(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<StatusCode, ApiError> {
    let deleted = app
        .runtime
        .delete_conversation(&principal, parse(&id)?)
        .await?;
    deleted
        .map(|()| StatusCode::NO_CONTENT)
        .ok_or_else(|| ApiError::not_found("conversation"))
}
