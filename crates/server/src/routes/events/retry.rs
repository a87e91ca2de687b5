use axum::Json;
use axum::extract::State;
use toolcrib_runtime::DeliveryView;

use super::delivery;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Tries an event again that was tried often enough.
#[utoipa::path(post, path = "/api/events/deliveries/{id}/retry", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = DeliveryView), (status = 404, description = "No such dead event")))]
pub(crate) async fn retry(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath<String>,
) -> Result<Json<DeliveryView>, ApiError> {
    let id = delivery(&id)?;
    Ok(Json(app.runtime.retry_delivery(&principal, id).await?))
}
