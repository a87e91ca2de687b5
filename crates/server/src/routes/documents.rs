//! Files of the workspace, which the web app reads and makes.

pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod save;

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};
use toolcrib_counter::Principal;
use toolcrib_runtime::{ChangeMode, DocumentChange};

use crate::app::App;
use crate::error::{ApiError, Code};

/// The version that a request changes: that of `If-Match`, or none for what is to be new.
fn version(headers: &HeaderMap) -> Result<Option<i64>, ApiError> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(version) = text(header::IF_MATCH).and_then(|tag| tag.trim_matches('"').parse().ok())
    {
        return Ok(Some(version));
    }
    if text(header::IF_NONE_MATCH) == Some("*") {
        return Ok(None);
    }
    Err(ApiError::new(
        Code::VersionMissing,
        "Send the version that you change as If-Match, as the ETag named it; for a new one send If-None-Match: *.",
    ))
}

fn mode(dry_run: Option<bool>, allow_data_loss: Option<bool>) -> ChangeMode {
    match (dry_run, allow_data_loss) {
        (Some(true), _) => ChangeMode::DryRun,
        (_, Some(true)) => ChangeMode::AllowDataLoss,
        _ => ChangeMode::Keep,
    }
}

/// Makes the change; it goes on when its asker has gone, so that memory is as the database is.
async fn change(
    app: App,
    principal: Principal,
    change: DocumentChange,
) -> Result<Response, ApiError> {
    let runtime = app.runtime.clone();
    let work = async move { runtime.change_document(&principal, change).await };
    let done = app.runtime.track(work).await;
    let saved = done.ok_or_else(|| {
        ApiError::new(
            Code::Internal,
            "The change broke down; look whether it was made.",
        )
    })??;
    let etag = saved.version.map(|version| format!("\"{version}\""));
    let etag = etag.map(|tag| [(header::ETAG, tag)]);
    Ok((etag, Json(saved)).into_response())
}
