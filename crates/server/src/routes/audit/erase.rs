use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::ApiError;
use crate::params::InPath;

/// Why it is erased.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Erase {
    /// Why; it becomes a part of the call's story.
    reason: String,
}

/// Takes what a call was asked with and what it answered out of the database, for good.
#[utoipa::path(delete, path = "/api/audit/calls/{id}/payload", tag = "audit", params(("id" = String, Path)), request_body = Erase,
    responses((status = 204, description = "Erased"), (status = 404, description = "No such call"),
        (status = 409, description = "The call has not ended")))]
pub(crate) async fn erase(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
    Body(body): Body<Erase>,
) -> Result<StatusCode, ApiError> {
    let id = id.parse().map_err(|_| ApiError::not_found("call"))?;
    let runtime = &app.runtime;
    runtime.erase_payload(&principal, id, &body.reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
