//! What a connection keeps of a write, so that the call can be ended by it alone.

use serde::{Deserialize, Serialize};
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::handles::HandleRow;

use crate::tool::Touched;

/// What came of a call.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) result: String,
    pub(crate) shown: bool,
    pub(crate) tags: Option<String>,
    pub(crate) touched: Option<Touched>,
    large: Option<Large>,
}

/// A result that is too large for a model.
#[derive(Debug, Serialize, Deserialize)]
struct Large {
    id: String,
    content: String,
    created_at: i64,
    expires_at: i64,
}

impl Mark {
    pub(crate) fn new(
        (result, shown): (String, bool),
        tags: Option<String>,
        touched: Option<Touched>,
        handle: Option<&HandleRow>,
    ) -> Self {
        let large = handle.map(|handle| Large {
            id: handle.id.clone(),
            content: handle.content.clone(),
            created_at: handle.created_at,
            expires_at: handle.expires_at,
        });
        Self {
            result,
            shown,
            tags,
            touched,
            large,
        }
    }

    /// The stored result of a large answer.
    pub(crate) fn handle(&self, call: &CallRow) -> Option<HandleRow> {
        let large = self.large.as_ref()?;
        Some(HandleRow {
            id: large.id.clone(),
            owner: call.asker,
            conversation: call.conversation,
            call: call.id,
            content: large.content.clone(),
            created_at: large.created_at,
            expires_at: large.expires_at,
        })
    }
}
