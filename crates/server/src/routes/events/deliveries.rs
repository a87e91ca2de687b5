use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use toolcrib_data::platform::deliveries::DeliveryFilter;
use toolcrib_runtime::DeliveryView;
use utoipa::IntoParams;

use super::key;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::{ApiError, Code};
use crate::page::{List, PageQuery};
use crate::params::Params;

/// Which events.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeliveriesQuery {
    /// Only those that are `waiting`, `delivered` or `dead`.
    status: Option<String>,
    /// Only those for this subscriber.
    subscriber_id: Option<String>,
    /// Only those of this call.
    call_id: Option<String>,
}

impl DeliveriesQuery {
    fn filter(self) -> Result<DeliveryFilter, ApiError> {
        let wrong = |what: &str| ApiError::new(Code::InvalidRequest, what);
        let status = self.status.map(|status| status.parse()).transpose();
        let call = self.call_id.map(|id| id.parse()).transpose();
        Ok(DeliveryFilter {
            status: status.map_err(|_| wrong("status is waiting, delivered or dead."))?,
            subscriber: self.subscriber_id.map(|id| key(&id)).transpose()?,
            call: call.map_err(|_| wrong("callId is the id of a call."))?,
        })
    }
}

/// Lists events on their way to subscribers, newest first. Those that arrived are kept for a week.
#[utoipa::path(get, path = "/api/events/deliveries", tag = "events", params(DeliveriesQuery, PageQuery),
    responses((status = 200, body = List<DeliveryView>), (status = 403, description = "Not an administrator")))]
pub(crate) async fn deliveries(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<DeliveriesQuery>,
    Params(page): Params<PageQuery>,
) -> Result<Json<List<DeliveryView>>, ApiError> {
    let (page, filter) = (page.page()?, query.filter()?);
    let found = app.runtime.deliveries(&principal, &filter, &page).await?;
    Ok(Json(List::new(found, &page, |one| one.id.clone())))
}
