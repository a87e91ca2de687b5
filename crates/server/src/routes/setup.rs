//! What a first visitor needs to know.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::CallFilter;
use toolcrib_runtime::LanguageModelStatus;
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
        data_path: runtime.store().path().display().to_string(),
        sample: runtime.is_sample(),
        language_model: runtime.models().status(),
        ran_a_tool: !calls.is_empty(),
        agents: runtime.agents().count(),
        tools: runtime.counter().registry().offered(&principal, None).len(),
    }))
}
