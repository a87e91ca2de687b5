use axum::Json;
use axum::extract::State;
use toolcrib_runtime::AuditStory;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Anybody's call with its whole story, without the values of sensitive fields.
#[utoipa::path(get, path = "/api/audit/calls/{id}", tag = "audit", params(("id" = String, Path)),
    responses((status = 200, body = AuditStory), (status = 404, description = "No such call")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<Json<AuditStory>, ApiError> {
    let id = id.parse().map_err(|_| ApiError::not_found("call"))?;
    Ok(Json(app.runtime.audit_story(&principal, id).await?))
}
