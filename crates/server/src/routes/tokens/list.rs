use axum::Json;
use axum::extract::State;
use toolcrib_data::platform::people;

use super::Token;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;

/// Lists the user's tokens that are in force.
#[utoipa::path(get, path = "/api/tokens", tag = "tokens", responses((status = 200, body = List<Token>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<Token>>, ApiError> {
    let store = app.runtime.store();
    let now = store.clock().micros();
    let rows = people::list_tokens(
        &mut store.snapshot().await?,
        principal.org,
        principal.user,
        now,
    )
    .await?;
    Ok(Json(List::whole(
        rows.into_iter().map(Token::from).collect(),
    )))
}
