use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use toolcrib_counter::ToolChange;
use toolcrib_data::platform::tools::ToolSettings;
use utoipa::ToSchema;

use super::{Sharing, Tool, stats};
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::params::InPath;
use crate::version;

/// What to change in a tool's row.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ToolPatch {
    /// Whether it can be used at all.
    enabled: Option<bool>,
    /// Whether a person is asked before each call.
    requires_approval: Option<bool>,
    /// Whether the composer offers it.
    composer: Option<bool>,
    /// The roles that may call it; an empty list for all.
    roles: Option<Vec<String>>,
    /// Who may use it without an agent; null for those who may edit it.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<Sharing>)]
    audience: Option<Option<Sharing>>,
    /// What else there is to say, in place of all that was said.
    #[schema(value_type = Option<Object>)]
    settings: Option<Map<String, Value>>,
}

/// Settings as an editor sends them. A list is none, though it could be read as one.
fn settings(map: Map<String, Value>) -> Result<ToolSettings, ApiError> {
    let wrong = |detail: String| ApiError::new(Code::InvalidRequest, detail);
    if map
        .get("approval")
        .is_some_and(|approval| !approval.is_object())
    {
        return Err(wrong("settings.approval is an object.".to_owned()));
    }
    serde_json::from_value(Value::Object(map)).map_err(|error| wrong(format!("settings: {error}.")))
}

/// A null that was sent is another thing than nothing sent.
fn said<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<Sharing>>, D::Error> {
    let Some(map) = Option::<Map<String, Value>>::deserialize(from)? else {
        return Ok(Some(None));
    };
    let sharing = serde_json::from_value(Value::Object(map));
    sharing.map(Some).map(Some).map_err(D::Error::custom)
}

/// Changes a tool's switches, as its next version.
#[utoipa::path(patch, path = "/api/tools/{name}", tag = "tools", params(("name" = String, Path)), request_body = ToolPatch,
    responses((status = 200, body = Tool), (status = 412, description = "Changed by somebody else")))]
pub(crate) async fn update(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
    headers: HeaderMap,
    Body(change): Body<ToolPatch>,
) -> Result<Response, ApiError> {
    let from = version::changed(&headers)?;
    let change = ToolChange {
        enabled: change.enabled,
        requires_approval: change.requires_approval,
        composer: change.composer,
        roles: change.roles,
        audience: match change.audience {
            Some(Some(sharing)) => Some(Some(sharing.audience()?)),
            Some(None) => Some(None),
            None => None,
        },
        settings: change.settings.map(settings).transpose()?,
    };
    let runtime = &app.runtime;
    let tool = runtime
        .counter()
        .registry()
        .save(runtime.store(), &principal, &name, from, &change)
        .await?;
    let stats = stats(runtime, &principal).await?;
    let etag = version::etag(tool.row.version);
    Ok((etag, Json(Tool::new(runtime, &principal, &tool, &stats))).into_response())
}
