use axum::Json;
use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;
use toolcrib::id::ConversationId;
use toolcrib_counter::{CallMode, CallRequest, HOOK_KEY, Principal};
use toolcrib_data::platform::calls::Via;
use toolcrib_data::platform::conversations;
use toolcrib_runtime::CallView;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::params::InPath;

/// A call to make.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewCall {
    /// The arguments, kept as they were sent.
    #[schema(value_type = Object)]
    arguments: Option<Box<RawValue>>,
    /// The conversation that the call belongs to.
    conversation_id: Option<String>,
    /// Tries the call: the tool runs, and everything it wrote is undone.
    #[serde(default)]
    trial: bool,
}

/// What became of a call.
#[derive(Serialize, ToSchema)]
pub(crate) struct Called {
    call: CallView,
}

/// Calls a tool. Look at `status`: a call that fails, is refused, or waits is an answer as well.
#[utoipa::path(post, path = "/api/tools/{name}/call", tag = "tools", params(("name" = String, Path)), request_body = NewCall,
    responses((status = 200, body = Called), (status = 409, description = "The idempotency key was used with other arguments")))]
pub(crate) async fn call(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
    headers: HeaderMap,
    Body(new): Body<NewCall>,
) -> Result<Json<Called>, ApiError> {
    let runtime = &app.runtime;
    let conversation = match &new.conversation_id {
        Some(id) => Some(own_conversation(&app, &principal, id).await?),
        None => None,
    };
    let key = idempotency_key(&headers)?;
    let via = if headers.contains_key("x-toolcrib-cli") {
        Via::Cli
    } else {
        Via::Api
    };
    let mode = if new.trial {
        CallMode::Trial
    } else {
        CallMode::Real
    };
    // Dropping the request does not stop the call: it is written down how it ends.
    let request = OwnedRequest {
        tool: name,
        arguments: new
            .arguments
            .map(|raw| raw.get().to_owned())
            .unwrap_or_default(),
        key,
    };
    let counter = runtime.counter().clone();
    let outcome = runtime
        .track(async move {
            let request = CallRequest {
                principal: &principal,
                tool: &request.tool,
                arguments: &request.arguments,
                via,
                conversation,
                mode,
                idempotency_key: request.key.as_deref(),
                cancel: CancellationToken::new(),
            };
            counter.call(request).await
        })
        .await
        .ok_or_else(|| ApiError::new(Code::Internal, "The call broke off."))??;
    Ok(Json(Called {
        call: runtime.call_view(&outcome.row).await?,
    }))
}

struct OwnedRequest {
    tool: String,
    arguments: String,
    key: Option<String>,
}

/// The conversation of that id, if it is the caller's.
async fn own_conversation(
    app: &App,
    principal: &Principal,
    id: &str,
) -> Result<ConversationId, ApiError> {
    let unknown = || ApiError::not_found("conversation");
    let id = id.parse().map_err(|_| unknown())?;
    let mut snapshot = app.runtime.store().snapshot().await?;
    let known = conversations::get(&mut snapshot, principal.org, id, principal.user).await?;
    known.map(|row| row.id).ok_or_else(unknown)
}

/// The caller's key against repetition.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let key = key
        .to_str()
        .ok()
        .filter(|key| !key.is_empty() && key.len() <= 200 && !key.starts_with(HOOK_KEY));
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        let detail =
            "Idempotency-Key has 1 to 200 printable characters, and does not begin with `hook:`.";
        ApiError::new(Code::InvalidRequest, detail)
    })
}
