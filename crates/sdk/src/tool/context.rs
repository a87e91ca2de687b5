use std::fmt;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::id::CallId;

/// What a running tool may know of its call.
///
/// ```
/// let context = toolcrib::ToolContext::new();
/// assert!(!context.approved && context.resume.is_none());
/// ```
#[derive(Clone)]
pub struct ToolContext {
    /// The call's id.
    pub call: CallId,
    /// Set when the call should end; a tool that works long watches it.
    pub cancel: CancellationToken,
    /// Whether a person has decided in favour of this very call.
    pub approved: bool,
    /// What the tool asked a person for, once it is there.
    pub resume: Option<Resume>,
}

/// The answer to a question of a tool.
///
/// Part of a [`ToolContext`].
#[derive(Clone, Debug, PartialEq)]
pub struct Resume {
    /// What the tool kept when it asked.
    pub state: Value,
    /// What the person answered.
    pub answer: Value,
}

impl ToolContext {
    /// The context of a call that stands alone.
    #[must_use]
    pub fn new() -> Self {
        Self {
            call: CallId::mint(),
            cancel: CancellationToken::new(),
            approved: false,
            resume: None,
        }
    }
}

impl Default for ToolContext {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("call", &self.call)
            .field("approved", &self.approved)
            .finish_non_exhaustive()
    }
}
