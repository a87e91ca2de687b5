use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::key;
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::ApiError;

/// Which events to try again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EventsToRetry {
    /// Those for this subscriber; all dead ones when left out.
    subscriber_id: Option<String>,
}

/// How many events are tried again.
#[derive(Serialize, ToSchema)]
pub(crate) struct RetriedEvents {
    /// That many.
    retried: u64,
}

/// Tries events again that were tried often enough.
#[utoipa::path(post, path = "/api/events/deliveries/retry", tag = "events", request_body = EventsToRetry,
    responses((status = 200, body = RetriedEvents), (status = 403, description = "Not an administrator")))]
pub(crate) async fn retry_all(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(wanted): Body<EventsToRetry>,
) -> Result<Json<RetriedEvents>, ApiError> {
    let subscriber = wanted.subscriber_id.map(|id| key(&id)).transpose()?;
    let retried = app
        .runtime
        .retry_deliveries(&principal, subscriber.as_deref());
    let retried = retried.await?;
    Ok(Json(RetriedEvents { retried }))
}
