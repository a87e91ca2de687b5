use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use toolcrib_counter::Principal;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;
use crate::sse::ui_message_stream;

/// Re-joins the run that is under way in a conversation: all of it again, then live.
#[utoipa::path(get, path = "/api/conversations/{id}/stream", tag = "conversations", params(("id" = String, Path)),
    responses((status = 200, description = "UI message stream", content_type = "text/event-stream"), (status = 204, description = "Nothing runs")))]
pub(crate) async fn stream(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<Response, ApiError> {
    join(&app, &principal, &id).await
}

pub(crate) async fn join(app: &App, principal: &Principal, id: &str) -> Result<Response, ApiError> {
    match app.runtime.open_stream(principal, parse(id)?).await? {
        Some(reader) => Ok(ui_message_stream(Vec::new(), reader)),
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}
