//! What a first visitor needs to know.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::CallFilter;
use toolcrib_runtime::{LanguageModelStatus, Runtime};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;

/// How far this installation has come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Setup {
    /// Where the data is.
    data_path: String,
    /// Whether this is the sample shop.
    sample: bool,
    /// The language model.
    language_model: LanguageModelStatus,
    /// Whether the user has run a tool.
    ran_a_tool: bool,
    /// How many agents there are.
    agents: usize,
    /// How many tools the user may use.
    tools: usize,
}

/// Where the data is: the whole path for editors, for others only the part inside the workspace.
fn data_path(runtime: &Runtime, may_edit: bool) -> String {
    let Some(path) = runtime.store().path() else {
        return "PostgreSQL".to_owned();
    };
    let shown = if may_edit {
        path
    } else {
        path.strip_prefix(runtime.dir()).unwrap_or(path)
    };
    shown.display().to_string()
}

/// Says how far this installation has come.
#[utoipa::path(get, path = "/api/setup", tag = "setup", responses((status = 200, body = Setup)))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<Setup>, ApiError> {
    let runtime = &app.runtime;
    let calls = runtime
        .calls(
            &principal,
            CallFilter::default(),
            &Page {
                limit: 1,
                after: None,
            },
        )
        .await?;
    Ok(Json(Setup {
        data_path: data_path(runtime, principal.may_edit()),
        sample: runtime.is_sample(),
        language_model: runtime.models().status(),
        ran_a_tool: !calls.is_empty(),
        agents: runtime.workspace().agents.len(),
        tools: runtime.counter().registry().offered(&principal, None).len(),
    }))
}
