use axum::Json;
use axum::extract::State;

use super::{SigningSecret, people_only, subscriber};
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Makes the secret of a webhook anew. The one before signs nothing any more.
#[utoipa::path(post, path = "/api/events/subscribers/{id}/secret", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = SigningSecret), (status = 404, description = "No such webhook")))]
pub(crate) async fn renew(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath<String>,
) -> Result<Json<SigningSecret>, ApiError> {
    people_only(&principal)?;
    let id = subscriber(&id)?;
    let secret = app.runtime.renew_subscriber(&principal, id).await?;
    Ok(Json(SigningSecret { secret }))
}
