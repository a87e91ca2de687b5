use axum::extract::{Path, State};
use axum::response::Response;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::routes::conversations::stream::join;

/// Re-joins the run of a conversation, where clients of the chat protocol look for it.
#[utoipa::path(get, path = "/api/agents/{name}/chat/{id}/stream", tag = "agents", params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 200, description = "UI message stream", content_type = "text/event-stream"), (status = 204, description = "Nothing runs")))]
pub(crate) async fn stream(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Path(path): Path<(String, String)>,
) -> Result<Response, ApiError> {
    join(&app, &principal, &path.1).await
}
