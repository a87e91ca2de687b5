use axum::Json;
use axum::extract::State;
use toolcrib_runtime::ConversationView;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::{List, PageQuery};
use crate::params::Params;

/// Lists the user's conversations, the newest first.
#[utoipa::path(get, path = "/api/conversations", tag = "conversations", params(PageQuery), responses((status = 200, body = List<ConversationView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(page): Params<PageQuery>,
) -> Result<Json<List<ConversationView>>, ApiError> {
    let page = page.page()?;
    let found = List::new(
        app.runtime.conversations(&principal, &page).await?,
        &page,
        |(_, cursor)| cursor.clone(),
    );
    let items = found
        .items
        .into_iter()
        .map(|(conversation, _)| conversation)
        .collect();
    Ok(Json(List {
        items,
        next_cursor: found.next_cursor,
    }))
}
