//! Data models, for those who make them.

use axum::Json;
use axum::extract::State;
use toolcrib_runtime::ModelsView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;

/// Lists the data models, and the databases that they are in.
#[utoipa::path(get, path = "/api/models", tag = "models", responses((status = 200, body = ModelsView),
    (status = 403, description = "Not an administrator or builder")))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<ModelsView>, ApiError> {
    Ok(Json(app.runtime.models_view(&principal)?))
}
