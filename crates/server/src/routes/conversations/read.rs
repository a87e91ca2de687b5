use axum::Json;
use axum::extract::State;
use serde::Serialize;
use toolcrib_runtime::{ApprovalView, ConversationView, UiMessage};
use utoipa::ToSchema;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// A conversation with all that was said in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct WholeConversation {
    #[serde(flatten)]
    conversation: ConversationView,
    /// The messages, in order.
    messages: Vec<UiMessage>,
    /// The approvals of its calls.
    approvals: Vec<ApprovalView>,
}

/// One conversation of the user.
#[utoipa::path(get, path = "/api/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses((status = 200, body = WholeConversation), (status = 404, description = "No such conversation")))]
pub(crate) async fn read(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<Json<WholeConversation>, ApiError> {
    let found = app.runtime.conversation(&principal, parse(&id)?).await?;
    let (conversation, messages, approvals) =
        found.ok_or_else(|| ApiError::not_found("conversation"))?;
    Ok(Json(WholeConversation {
        conversation,
        messages,
        approvals,
    }))
}
