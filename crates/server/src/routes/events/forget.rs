use axum::extract::State;
use http::StatusCode;

use super::delivery;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Forgets an event that was tried often enough.
#[utoipa::path(delete, path = "/api/events/deliveries/{id}", tag = "events", params(("id" = String, Path)),
    responses((status = 204, description = "Forgotten"), (status = 404, description = "No such dead event")))]
pub(crate) async fn forget(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath<String>,
) -> Result<StatusCode, ApiError> {
    let id = delivery(&id)?;
    app.runtime.forget_delivery(&principal, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
