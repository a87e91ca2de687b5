use axum::Json;
use axum::extract::State;
use serde::Serialize;
use toolcrib_runtime::{CallEventView, CallView};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// A call with its whole story.
#[derive(Serialize, ToSchema)]
pub(crate) struct CallStory {
    #[serde(flatten)]
    call: CallView,
    /// What happened to it, in order.
    events: Vec<CallEventView>,
}

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
    let (call, events) = story.ok_or_else(|| ApiError::not_found("call"))?;
    Ok(Json(CallStory { call, events }))
}
