use axum::Json;
use axum::extract::State;
use toolcrib_runtime::CallStory;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// One call of the user.
#[utoipa::path(get, path = "/api/calls/{id}", tag = "calls", params(("id" = String, Path)),
    responses((status = 200, body = CallStory), (status = 404, description = "No such call")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<Json<CallStory>, ApiError> {
    let id = id.parse().map_err(|_| ApiError::not_found("call"))?;
    let story = app.runtime.call_story(&principal, id).await?;
    story.map(Json).ok_or_else(|| ApiError::not_found("call"))
}
