//! Stored results that were too large for a model.

use axum::Json;
use axum::extract::State;
use serde_json::Value;
use toolcrib_data::platform::handles;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// The whole result behind a handle, for its owner.
#[utoipa::path(get, path = "/api/handles/{id}", tag = "calls", params(("id" = String, Path)),
    responses((status = 200, description = "The result"), (status = 404, description = "No such handle")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<Json<Value>, ApiError> {
    let store = app.runtime.store();
    let now = store.clock().micros();
    let content = handles::resolve(
        &mut store.snapshot().await?,
        principal.org,
        &id,
        principal.user,
        now,
    )
    .await?;
    let content = content.ok_or_else(|| ApiError::not_found("handle"))?;
    serde_json::from_str(&content)
        .map(Json)
        .map_err(|error| ApiError::internal(&error))
}
