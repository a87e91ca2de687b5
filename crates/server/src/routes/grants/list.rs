use axum::Json;
use axum::extract::State;
use serde::Serialize;
use toolcrib_data::platform::grants::{self, GrantRow};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;

/// A decision for later calls.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StandingGrant {
    /// Its id.
    id: String,
    /// The tool.
    tool: String,
    /// The agent whose calls it covers; none for calls without one.
    agent: Option<String>,
    /// What of the tool it covers, as `model:operation`; all of it where that is empty.
    scope: String,
    /// The conversation it holds in; everywhere where there is none.
    conversation_id: Option<String>,
    /// When it was given.
    created_at: String,
}

impl StandingGrant {
    fn of(row: GrantRow) -> Self {
        Self {
            id: row.id.to_string(),
            tool: row.tool,
            agent: row.agent,
            scope: row.scope,
            conversation_id: row.conversation.map(|id| id.to_string()),
            created_at: toolcrib_runtime::time(row.created_at),
        }
    }
}

/// Lists the user's own decisions for later calls that are in force.
#[utoipa::path(get, path = "/api/grants", tag = "grants", responses((status = 200, body = List<StandingGrant>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<StandingGrant>>, ApiError> {
    let mut snapshot = app.runtime.store().snapshot().await?;
    let rows = grants::of_user(&mut snapshot, principal.org, principal.user).await?;
    Ok(Json(List::whole(
        rows.into_iter().map(StandingGrant::of).collect(),
    )))
}
