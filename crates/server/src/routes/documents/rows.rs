use axum::Json;
use axum::extract::State;
use toolcrib_runtime::RowFile;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;

/// Lists what editors set of tools, as files of the workspace would say it.
#[utoipa::path(get, path = "/api/workspace/rows", tag = "workspace",
    responses((status = 200, body = List<RowFile>), (status = 403, description = "Not an administrator or builder")))]
pub(crate) async fn rows(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<RowFile>>, ApiError> {
    Ok(Json(List::whole(app.runtime.row_files(&principal).await?)))
}
