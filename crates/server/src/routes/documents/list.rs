use axum::Json;
use axum::extract::State;
use toolcrib_runtime::DocumentView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;

/// Lists the files of the workspace, those of the folder and those made here, by path.
#[utoipa::path(get, path = "/api/workspace/documents", tag = "workspace",
    responses((status = 200, body = List<DocumentView>), (status = 403, description = "Not an administrator or builder")))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<DocumentView>>, ApiError> {
    Ok(Json(List::whole(app.runtime.documents(&principal).await?)))
}
