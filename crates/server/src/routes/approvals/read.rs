use axum::Json;
use axum::extract::State;
use toolcrib_runtime::ApprovalView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// One approval of the user.
#[utoipa::path(get, path = "/api/approvals/{id}", tag = "approvals", params(("id" = String, Path)),
    responses((status = 200, body = ApprovalView), (status = 404, description = "No such approval")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<Json<ApprovalView>, ApiError> {
    let id = id.parse().map_err(|_| ApiError::not_found("approval"))?;
    app.runtime
        .approval(&principal, id)
        .await?
        .map(Json)
        .ok_or_else(|| ApiError::not_found("approval"))
}
