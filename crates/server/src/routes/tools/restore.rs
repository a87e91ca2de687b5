use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;

use super::{Tool, stats};
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;
use crate::version;

/// Saves what an editor had set at an earlier version once more, as the next version.
#[utoipa::path(post, path = "/api/tools/{name}/versions/{version}/restore", tag = "tools",
    params(("name" = String, Path), ("version" = i64, Path)),
    responses((status = 200, body = Tool), (status = 412, description = "Changed by somebody else"),
        (status = 422, description = "Nothing is kept of that version")))]
pub(crate) async fn restore(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath((name, earlier)): InPath<(String, i64)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let from = version::changed(&headers)?;
    let runtime = &app.runtime;
    let registry = runtime.counter().registry();
    let tool = registry
        .restore(runtime.store(), &principal, &name, (from, earlier))
        .await?;
    let stats = stats(runtime, &principal).await?;
    let etag = version::etag(tool.row.version);
    Ok((etag, Json(Tool::new(runtime, &principal, &tool, &stats))).into_response())
}
