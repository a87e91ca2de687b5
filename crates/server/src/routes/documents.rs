//! Files of the workspace, which the web app reads and makes.

pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod rows;
pub(crate) mod save;

use axum::Json;
use axum::response::{IntoResponse, Response};
use toolcrib_counter::Principal;
use toolcrib_runtime::{ChangeMode, DocumentChange};

use crate::app::App;
use crate::error::{ApiError, Code};
use crate::version::etag;

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
    Ok((saved.version.map(etag), Json(saved)).into_response())
}
