use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolcrib_runtime::Provider;
use utoipa::ToSchema;

use super::{base_url, editors_only};
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};

/// An endpoint to try.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EndpointToCheck {
    /// How it is spoken to; `openai`, as most servers are, unless said.
    #[serde(default)]
    provider: Provider,
    /// The base URL, up to and including the version (`/v1`, `/v1beta`).
    base_url: String,
    /// The key, where one is needed.
    api_key: Option<String>,
}

/// What an endpoint offers.
#[derive(Serialize, ToSchema)]
pub(crate) struct Offered {
    /// The models, by name.
    models: Vec<String>,
}

/// Asks an endpoint which models it has.
#[utoipa::path(post, path = "/api/language-models/check", tag = "language models", request_body = EndpointToCheck,
    responses((status = 200, body = Offered), (status = 422, description = "It did not answer with a list of models")))]
pub(crate) async fn check(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(endpoint): Body<EndpointToCheck>,
) -> Result<Json<Offered>, ApiError> {
    editors_only(&principal)?;
    let base_url = base_url(&endpoint.base_url)?;
    let models = app
        .runtime
        .models()
        .check(endpoint.provider, &base_url, endpoint.api_key)
        .await
        .map_err(|error| {
            ApiError::new(
                Code::LanguageModelCheck,
                format!("Asked {base_url}/models. {error}"),
            )
        })?;
    Ok(Json(Offered { models }))
}
