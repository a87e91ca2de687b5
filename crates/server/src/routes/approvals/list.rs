use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use toolcrib_data::platform::approvals::{ApprovalFilter, ApprovalStatus};
use toolcrib_runtime::ApprovalView;
use utoipa::IntoParams;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::{ApiError, Code};
use crate::page::{List, PageQuery};
use crate::params::Params;

/// Which approvals to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ApprovalQuery {
    /// Only those in this status.
    status: Option<String>,
}

/// Lists the user's approvals, newest first.
#[utoipa::path(get, path = "/api/approvals", tag = "approvals", params(ApprovalQuery, PageQuery), responses((status = 200, body = List<ApprovalView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<ApprovalQuery>,
    Params(page): Params<PageQuery>,
) -> Result<Json<List<ApprovalView>>, ApiError> {
    let page = page.page()?;
    let status: Option<ApprovalStatus> = query
        .status
        .map(|name| name.parse())
        .transpose()
        .map_err(|_| {
            ApiError::new(
                Code::InvalidRequest,
                "That is not the status of an approval.",
            )
        })?;
    let filter = ApprovalFilter {
        status,
        ..ApprovalFilter::default()
    };
    let approvals = app.runtime.approvals(&principal, filter, &page).await?;
    Ok(Json(List::new(approvals, &page, |approval| {
        approval.id.clone()
    })))
}
