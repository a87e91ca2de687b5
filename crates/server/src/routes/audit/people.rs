use axum::Json;
use axum::extract::State;
use toolcrib_runtime::AuditPerson;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;

/// Lists the people whose calls there may be.
#[utoipa::path(get, path = "/api/audit/people", tag = "audit",
    responses((status = 200, body = List<AuditPerson>), (status = 403, description = "Not an administrator")))]
pub(crate) async fn people(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<AuditPerson>>, ApiError> {
    let people = app.runtime.audit_people(&principal).await?;
    Ok(Json(List::whole(people)))
}
