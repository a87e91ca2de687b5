use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Tool, stats};
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;
use crate::params::Params;

/// Which tools to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ToolQuery {
    /// Words to look for in name, title and description.
    q: Option<String>,
    /// Only tools of this kind.
    kind: Option<String>,
}

/// Lists the tools that the user may use, and for editors all.
#[utoipa::path(get, path = "/api/tools", tag = "tools", params(ToolQuery), responses((status = 200, body = List<Tool>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<ToolQuery>,
) -> Result<Json<List<Tool>>, ApiError> {
    let stats = stats(&app.runtime, &principal).await?;
    let wanted = query.q.unwrap_or_default().to_lowercase();
    let tools = app.runtime.counter().registry().visible(&principal);
    let items = tools
        .iter()
        .filter(|tool| {
            query
                .kind
                .as_ref()
                .is_none_or(|kind| *kind == tool.row.kind)
        })
        .filter(|tool| {
            let row = &tool.row;
            let text = format!("{} {} {}", row.name, row.title, row.description).to_lowercase();
            wanted.split_whitespace().all(|word| text.contains(word))
        })
        .map(|tool| Tool::new(&app.runtime, &principal, tool, &stats))
        .collect();
    Ok(Json(List::whole(items)))
}
