use axum::extract::State;
use http::StatusCode;
use toolcrib_data::platform::grants;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Revokes one of the user's decisions for later calls: the next one asks again.
#[utoipa::path(delete, path = "/api/grants/{id}", tag = "grants", params(("id" = String, Path)),
    responses((status = 204, description = "Revoked"), (status = 404, description = "No such decision in force")))]
pub(crate) async fn revoke(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<StatusCode, ApiError> {
    let id = id.parse().map_err(|_| ApiError::not_found("grant"))?;
    let store = app.runtime.store();
    let now = store.clock().micros();
    let mut unit = store.unit().await?;
    let revoked = grants::revoke(&mut unit, principal.org, id, principal.user, now).await?;
    unit.commit().await?;
    match revoked {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::not_found("grant")),
    }
}
