use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use toolcrib_runtime::SubscriberView;

use super::{SubscriberPatch, people_only, subscriber};
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::ApiError;
use crate::params::InPath;
use crate::version;

/// Changes a webhook.
#[utoipa::path(patch, path = "/api/events/subscribers/{id}", tag = "events", params(("id" = String, Path)),
    request_body = SubscriberPatch,
    responses((status = 200, body = SubscriberView), (status = 404, description = "No such webhook"),
        (status = 412, description = "Changed by somebody else"), (status = 422, description = "What it would say is not sound")))]
pub(crate) async fn change(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath<String>,
    headers: HeaderMap,
    Body(change): Body<SubscriberPatch>,
) -> Result<Response, ApiError> {
    people_only(&principal)?;
    let at = (subscriber(&id)?, version::changed(&headers)?);
    let change = change.read()?;
    let changed = app
        .runtime
        .change_subscriber(&principal, at, change)
        .await?;
    Ok((version::etag(changed.version), Json(changed)).into_response())
}
