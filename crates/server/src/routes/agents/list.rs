use axum::Json;
use axum::extract::State;

use super::AgentView;
use crate::app::App;
use crate::auth::SignedIn;
use crate::page::List;

/// Lists the agents.
#[utoipa::path(get, path = "/api/agents", tag = "agents", responses((status = 200, body = List<AgentView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Json<List<AgentView>> {
    let workspace = app.runtime.workspace();
    let agents = workspace.agents.values();
    let views = agents.map(|agent| AgentView::new(&app.runtime, &principal, agent));
    Json(List::whole(views.collect()))
}
