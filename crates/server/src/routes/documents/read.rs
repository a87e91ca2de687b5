use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use toolcrib_runtime::DocumentView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;
use crate::version::etag;

/// Reads a file of the workspace.
#[utoipa::path(get, path = "/api/workspace/documents/{*path}", tag = "workspace", params(("path" = String, Path)),
    responses((status = 200, body = DocumentView), (status = 404, description = "No such file")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(path): InPath,
) -> Result<Response, ApiError> {
    let document = app.runtime.document(&principal, &path).await?;
    Ok((document.version.map(etag), Json(document)).into_response())
}
