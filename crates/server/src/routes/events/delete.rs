use axum::extract::State;
use http::StatusCode;

use super::{people_only, subscriber};
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Deletes a webhook, with what is on its way to it.
#[utoipa::path(delete, path = "/api/events/subscribers/{id}", tag = "events", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted"), (status = 404, description = "No such webhook")))]
pub(crate) async fn delete(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath<String>,
) -> Result<StatusCode, ApiError> {
    people_only(&principal)?;
    let id = subscriber(&id)?;
    app.runtime.delete_subscriber(&principal, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
