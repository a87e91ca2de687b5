use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;
use toolcrib_runtime::{DocumentChange, DocumentContent, SavedDocument};
use utoipa::IntoParams;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::{InPath, Params};
use crate::version;

/// What may happen.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct DeleteQuery {
    /// Only says what it would do.
    dry_run: Option<bool>,
    /// Deletes it also where stored records are lost by it.
    allow_data_loss: Option<bool>,
}

/// Deletes a file of the workspace that was made here.
#[utoipa::path(delete, path = "/api/workspace/documents/{*path}", tag = "workspace", params(("path" = String, Path), DeleteQuery),
    responses((status = 200, body = SavedDocument), (status = 409, description = "Data would be lost, or it is a file of the folder"),
        (status = 412, description = "Changed by somebody else")))]
pub(crate) async fn delete(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(path): InPath,
    Params(query): Params<DeleteQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let change = DocumentChange {
        path,
        content: DocumentContent::Nothing,
        version: version::changed_or_new(&headers)?,
        mode: super::mode(query.dry_run, query.allow_data_loss),
    };
    super::change(app, principal, change).await
}
