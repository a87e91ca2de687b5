use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use toolcrib_data::platform::people;

use crate::app::App;
use crate::auth::{self, SignedIn};
use crate::error::ApiError;

/// Ends the session.
#[utoipa::path(delete, path = "/api/session", tag = "session", responses((status = 204, description = "Signed out")))]
pub(crate) async fn delete(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Response, ApiError> {
    if let Some(credential) = &principal.credential {
        let store = app.runtime.store();
        let mut unit = store.unit().await?;
        people::revoke(
            &mut unit,
            principal.org,
            principal.user,
            credential.id,
            store.clock().micros(),
        )
        .await?;
        unit.commit().await?;
    }
    Ok((
        StatusCode::NO_CONTENT,
        [(header::SET_COOKIE, auth::clear_cookie())],
    )
        .into_response())
}
