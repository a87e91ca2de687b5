use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use toolcrib_runtime::TrialView;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::ApiError;
use crate::params::InPath;

/// What to try.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTrial {
    /// The message that the agent answers.
    message: String,
}

/// Tries a run of an agent: it runs to its end, and everything that its calls wrote is undone. Look at each call's `trial`.
#[utoipa::path(post, path = "/api/agents/{name}/trial", tag = "agents", params(("name" = String, Path)), request_body = NewTrial,
    responses((status = 200, body = TrialView), (status = 404, description = "No such agent"),
              (status = 409, description = "No language model"), (status = 429, description = "The user has used what they may")))]
pub(crate) async fn try_run(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
    Body(new): Body<NewTrial>,
) -> Result<Json<TrialView>, ApiError> {
    let tried = app.runtime.try_run(&principal, &name, new.message).await?;
    Ok(Json(tried))
}
