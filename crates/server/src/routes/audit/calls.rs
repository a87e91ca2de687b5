use axum::Json;
use axum::extract::State;
use toolcrib_runtime::CallView;

use super::AuditQuery;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::{List, PageQuery};
use crate::params::Params;

/// Lists the calls of everybody, newest first, without the values of sensitive fields.
#[utoipa::path(get, path = "/api/audit/calls", tag = "audit", params(AuditQuery, PageQuery),
    responses((status = 200, body = List<CallView>), (status = 403, description = "Not an administrator")))]
pub(crate) async fn calls(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<AuditQuery>,
    Params(page): Params<PageQuery>,
) -> Result<Json<List<CallView>>, ApiError> {
    let page = page.page()?;
    let filter = query.filter()?;
    let calls = app.runtime.audit_calls(&principal, &filter, &page).await?;
    Ok(Json(List::new(calls, &page, |call| call.id.clone())))
}
