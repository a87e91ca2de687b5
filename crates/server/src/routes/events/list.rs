use axum::Json;
use axum::extract::State;
use toolcrib_runtime::SubscriberView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;

/// Lists who is told of calls, or asked before them.
#[utoipa::path(get, path = "/api/events/subscribers", tag = "events",
    responses((status = 200, body = List<SubscriberView>), (status = 403, description = "Not an administrator")))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<SubscriberView>>, ApiError> {
    Ok(Json(List::whole(
        app.runtime.subscribers(&principal).await?,
    )))
}
