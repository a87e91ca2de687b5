use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use toolcrib_runtime::{EndpointSettings, LanguageModelStatus, Provider, SettingsOrigin};
use utoipa::ToSchema;

use super::{base_url, editors_only};
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};

/// The language model to use.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewEndpoint {
    /// How it is spoken to; `openai`, as most servers are, unless said.
    #[serde(default)]
    provider: Provider,
    /// The base URL, up to and including the version (`/v1`, `/v1beta`).
    base_url: String,
    /// The key, where one is needed.
    api_key: Option<String>,
    /// The model's name.
    model: String,
}

/// Sets the language model that agents use.
#[utoipa::path(put, path = "/api/language-models/default", tag = "language models", request_body = NewEndpoint,
    responses((status = 200, body = LanguageModelStatus), (status = 409, description = "The environment or toolcrib.toml has the say")))]
pub(crate) async fn save(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(endpoint): Body<NewEndpoint>,
) -> Result<Json<LanguageModelStatus>, ApiError> {
    editors_only(&principal)?;
    if endpoint.model.trim().is_empty() {
        return Err(ApiError::new(
            Code::InvalidRequest,
            "Name the model to use.",
        ));
    }
    let settings = EndpointSettings {
        provider: endpoint.provider,
        capabilities: None,
        base_url: base_url(&endpoint.base_url)?,
        api_key: endpoint
            .api_key
            .map(|key| key.trim().to_owned())
            .filter(|key| !key.is_empty()),
        model: endpoint.model.trim().to_owned(),
        timeout: Duration::from_secs(120),
        origin: SettingsOrigin::Web,
    };
    let runtime = &app.runtime;
    let saved = runtime
        .models()
        .save(runtime.store(), principal.org, principal.user, settings)
        .await?;
    saved.map(Json).ok_or_else(|| {
        let detail =
            "The language model is set by the environment or by toolcrib.toml; change it there.";
        ApiError::new(Code::SetElsewhere, detail)
    })
}
