//! Whether the server lives, and whether it can work.

use axum::extract::State;
use http::StatusCode;

use crate::app::App;
use crate::error::{ApiError, Code};

/// Answers as long as the process lives.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, description = "Alive")))]
pub(crate) async fn alive() -> &'static str {
    "ok"
}

/// Answers once the database can be read, migrated as it has to be.
#[utoipa::path(get, path = "/readyz", tag = "health", responses((status = 200, description = "Ready"), (status = 503, description = "Not ready")))]
pub(crate) async fn ready(State(app): State<App>) -> Result<(StatusCode, &'static str), ApiError> {
    let unavailable = |error: &dyn std::error::Error| {
        tracing::warn!(%error, "not ready");
        ApiError::new(Code::Unavailable, "The database can't be read.")
    };
    let mut snapshot = app
        .runtime
        .store()
        .snapshot()
        .await
        .map_err(|error| unavailable(&error))?;
    toolcrib_data::platform::people::orgs(&mut snapshot)
        .await
        .map_err(|error| unavailable(&error))?;
    Ok((StatusCode::OK, "ready"))
}
