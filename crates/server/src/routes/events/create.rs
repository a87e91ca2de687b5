use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::Serialize;
use toolcrib_runtime::SubscriberView;
use utoipa::ToSchema;

use super::{SubscriberPatch, people_only};
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::ApiError;

/// A webhook, with the secret that signs what it gets; that is shown this once.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeSubscriber {
    /// The webhook.
    subscriber: SubscriberView,
    /// `whsec_` and the key in Base64, as Standard Webhooks has it.
    secret: String,
}

/// Makes a webhook that events of calls are sent to.
#[utoipa::path(post, path = "/api/events/subscribers", tag = "events", request_body = SubscriberPatch,
    responses((status = 201, body = MadeSubscriber), (status = 403, description = "Not an administrator"),
        (status = 422, description = "What it says is not sound")))]
pub(crate) async fn create(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(wanted): Body<SubscriberPatch>,
) -> Result<(StatusCode, Json<MadeSubscriber>), ApiError> {
    people_only(&principal)?;
    let wanted = wanted.read()?;
    let (subscriber, secret) = app.runtime.new_subscriber(&principal, wanted).await?;
    let made = MadeSubscriber { subscriber, secret };
    Ok((StatusCode::CREATED, Json(made)))
}
