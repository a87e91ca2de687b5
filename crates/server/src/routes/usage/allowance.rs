use axum::Json;
use axum::extract::State;
use toolcrib_runtime::AllowanceView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;

/// What the user may use of language models, and has used this month.
#[utoipa::path(get, path = "/api/usage/allowance", tag = "usage", responses((status = 200, body = AllowanceView)))]
pub(crate) async fn allowance(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<AllowanceView>, ApiError> {
    Ok(Json(app.runtime.allowance(&principal).await?))
}
