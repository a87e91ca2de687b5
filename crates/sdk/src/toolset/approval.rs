use std::fmt;

use super::{ExecuteError, Tools};
use crate::{Definitions, ToolContext, ToolResult, unknown_tool};

/// Tools on whose calls a person decides first; made by [`Tools::approval_required`].
#[derive(Clone)]
pub struct ApprovalRequired<T, F> {
    inner: T,
    asks: F,
}

impl<T, F> ApprovalRequired<T, F> {
    pub(super) fn new(inner: T, asks: F) -> Self {
        Self { inner, asks }
    }
}

impl<T: fmt::Debug, F> fmt::Debug for ApprovalRequired<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApprovalRequired")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl<T: Tools, F: Fn(&str) -> bool + Send + Sync> Tools for ApprovalRequired<T, F> {
    fn definitions(&self) -> Definitions {
        self.inner.definitions()
    }

    /// A call that waits for a person keeps none of the others waiting.
    fn is_read_only(&self, name: &str) -> bool {
        self.inner.is_read_only(name)
    }

    async fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> Result<ToolResult, ExecuteError> {
        if context.approved || !(self.asks)(name) {
            return self.inner.execute(name, arguments, context).await;
        }
        // Nobody is asked about what does not exist, and what is not listed does not run unasked.
        let definitions = self.inner.definitions();
        let known = definitions
            .iter()
            .map(|definition| definition.name.as_str());
        if known.clone().any(|known| known == name) {
            return Ok(ToolResult::NeedsApproval {
                question: format!("Run {name}?"),
            });
        }
        Err(ExecuteError::UnknownTool(unknown_tool(name, known)))
    }
}
