use axum::Json;
use axum::extract::State;

use super::AgentView;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// One agent.
#[utoipa::path(get, path = "/api/agents/{name}", tag = "agents", params(("name" = String, Path)),
    responses((status = 200, body = AgentView), (status = 404, description = "No such agent")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
) -> Result<Json<AgentView>, ApiError> {
    let agent = app
        .runtime
        .agent(&name)
        .ok_or_else(|| ApiError::not_found("agent"))?;
    Ok(Json(AgentView::new(&app.runtime, &principal, &agent)))
}
