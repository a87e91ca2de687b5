//! Conversations.

pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod rename;
pub(crate) mod stop;
pub(crate) mod stream;

use toolcrib::id::ConversationId;

use crate::error::ApiError;

fn parse(id: &str) -> Result<ConversationId, ApiError> {
    id.parse().map_err(|_| ApiError::not_found("conversation"))
}
