use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use toolcrib_runtime::Verified;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::ApiError;

/// What the chain is to be proven against.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verify {
    /// A head that was noted down: it has to be in the chain.
    head: Option<String>,
}

/// Proves the audit chain against what is stored now.
#[utoipa::path(post, path = "/api/audit/verify", tag = "audit", request_body = Verify,
    responses((status = 200, body = Verified), (status = 403, description = "Not an administrator")))]
pub(crate) async fn verify(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(body): Body<Verify>,
) -> Result<Json<Verified>, ApiError> {
    let head = body.head.as_deref().map(str::trim);
    let head = head.filter(|head| !head.is_empty());
    Ok(Json(app.runtime.verify_audit(&principal, head).await?))
}
