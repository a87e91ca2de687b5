use axum::extract::{Path, State};
use http::StatusCode;
use toolcrib_data::platform::conversations;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;

/// Deletes a conversation, ending what waits in it. Its calls stay on record.
#[utoipa::path(delete, path = "/api/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted"), (status = 404, description = "No such conversation")))]
pub(crate) async fn delete(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let id = parse(&id)?;
    let not_found = || ApiError::not_found("conversation");
    app.runtime
        .stop(&principal, id)
        .await?
        .ok_or_else(not_found)?;
    let mut unit = app.runtime.store().unit().await?;
    let deleted = conversations::delete(&mut unit, principal.org, id, principal.user).await?;
    unit.commit().await?;
    if deleted {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(not_found())
    }
}
