use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use toolcrib_runtime::{DocumentChange, DocumentContent, SavedDocument};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::params::InPath;
use crate::version;

/// What a file of the workspace is to hold: `text`, or for YAML its `definition`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Save {
    /// The text.
    text: Option<String>,
    /// What the YAML says, as JSON.
    #[schema(value_type = Option<Object>)]
    definition: Option<Value>,
    /// Only says what it would do.
    dry_run: Option<bool>,
    /// Saves it also where stored records are lost by it.
    allow_data_loss: Option<bool>,
}

/// Saves a file of the workspace that is made here, and brings the tables of data models along.
#[utoipa::path(put, path = "/api/workspace/documents/{*path}", tag = "workspace", params(("path" = String, Path)), request_body = Save,
    responses((status = 200, body = SavedDocument), (status = 409, description = "Data would be lost, or it is a file of the folder"),
        (status = 412, description = "Changed by somebody else"), (status = 422, description = "The workspace would not be sound")))]
pub(crate) async fn save(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(path): InPath,
    headers: HeaderMap,
    Body(body): Body<Save>,
) -> Result<Response, ApiError> {
    let content = match (body.text, body.definition) {
        (Some(text), None) => DocumentContent::Text(text),
        (None, Some(definition)) => DocumentContent::Definition(definition),
        _ => {
            return Err(ApiError::new(
                Code::InvalidRequest,
                "Send either `text` or `definition`.",
            ));
        }
    };
    let change = DocumentChange {
        path,
        content,
        version: version::changed_or_new(&headers)?,
        mode: super::mode(body.dry_run, body.allow_data_loss),
    };
    super::change(app, principal, change).await
}
