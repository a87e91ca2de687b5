use axum::Json;
use axum::extract::State;
use toolcrib_runtime::ChainView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;

/// How far the audit chain has come.
#[utoipa::path(get, path = "/api/audit/chain", tag = "audit",
    responses((status = 200, body = ChainView), (status = 403, description = "Not an administrator")))]
pub(crate) async fn chain(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<ChainView>, ApiError> {
    Ok(Json(app.runtime.audit_chain(&principal).await?))
}
