use axum::extract::State;
use http::StatusCode;
use toolcrib::id::CredentialId;
use toolcrib_data::platform::people;

use super::sessions_only;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Revokes a token of the user.
#[utoipa::path(delete, path = "/api/tokens/{id}", tag = "tokens", params(("id" = String, Path)),
    responses((status = 204, description = "Revoked"), (status = 404, description = "No such token")))]
pub(crate) async fn revoke(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<StatusCode, ApiError> {
    sessions_only(&principal)?;
    let id: CredentialId = id.parse().map_err(|_| ApiError::not_found("token"))?;
    let store = app.runtime.store();
    let mut unit = store.unit().await?;
    let revoked = people::revoke(
        &mut unit,
        principal.org,
        principal.user,
        id,
        store.clock().micros(),
    )
    .await?;
    unit.commit().await?;
    if revoked {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found("token"))
    }
}
