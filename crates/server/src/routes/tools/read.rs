use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::{Tool, stats};
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;
use crate::version;

/// One tool.
#[utoipa::path(get, path = "/api/tools/{name}", tag = "tools", params(("name" = String, Path)),
    responses((status = 200, body = Tool), (status = 404, description = "No such tool")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
) -> Result<Response, ApiError> {
    let visible = app.runtime.counter().registry().visible(&principal);
    let tool = visible
        .iter()
        .find(|tool| tool.row.name == name)
        .ok_or_else(|| ApiError::not_found("tool"))?;
    let stats = stats(&app.runtime, &principal).await?;
    Ok((
        version::etag(tool.row.version),
        Json(Tool::new(&app.runtime, &principal, tool, &stats)),
    )
        .into_response())
}
