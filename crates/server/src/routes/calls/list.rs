use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use toolcrib::state::CallState;
use toolcrib_data::platform::calls::CallFilter;
use toolcrib_runtime::CallView;
use utoipa::IntoParams;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::{ApiError, Code};
use crate::page::{List, PageQuery};
use crate::params::Params;

/// Which calls to list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct CallQuery {
    /// Only calls in this state.
    status: Option<String>,
    /// Only calls of this tool.
    tool: Option<String>,
    /// Only calls of this conversation.
    conversation_id: Option<String>,
}

/// Lists the user's calls, newest first; refused ones too.
#[utoipa::path(get, path = "/api/calls", tag = "calls", params(CallQuery, PageQuery), responses((status = 200, body = List<CallView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<CallQuery>,
    Params(page): Params<PageQuery>,
) -> Result<Json<List<CallView>>, ApiError> {
    let page = page.page()?;
    if let Some(status) = &query.status
        && !CallState::NAMES.contains(&status.as_str())
    {
        let names = CallState::NAMES.join(", ");
        return Err(ApiError::new(
            Code::InvalidRequest,
            format!("status is one of: {names}."),
        ));
    }
    let conversation = match query.conversation_id {
        Some(id) => Some(
            id.parse()
                .map_err(|_| ApiError::not_found("conversation"))?,
        ),
        None => None,
    };
    let filter = CallFilter {
        state: query.status,
        tool: query.tool,
        conversation,
        ..CallFilter::default()
    };
    let calls = app.runtime.calls(&principal, filter, &page).await?;
    Ok(Json(List::new(calls, &page, |call| call.id.clone())))
}
