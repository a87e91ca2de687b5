use axum::Json;
use axum::extract::State;
use toolcrib_runtime::TestedSubscriber;

use super::subscriber;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Sends a webhook an event of no call, and says what came of it.
#[utoipa::path(post, path = "/api/events/subscribers/{id}/test", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = TestedSubscriber), (status = 404, description = "No such webhook")))]
pub(crate) async fn test(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath<String>,
) -> Result<Json<TestedSubscriber>, ApiError> {
    let id = subscriber(&id)?;
    Ok(Json(app.runtime.test_subscriber(&principal, id).await?))
}
