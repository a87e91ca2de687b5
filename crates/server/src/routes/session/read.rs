use axum::Json;
use axum::extract::State;

use super::Session;
use crate::app::App;
use crate::auth::SignedIn;

/// Says who is signed in.
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, body = Session), (status = 401, description = "Nobody")))]
pub(crate) async fn read(State(app): State<App>, SignedIn(principal): SignedIn) -> Json<Session> {
    Json(Session::new(&app.runtime, &principal))
}
