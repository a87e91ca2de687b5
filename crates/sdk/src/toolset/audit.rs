use std::fmt;

use super::{ExecuteError, Tools};
use crate::id::CallId;
use crate::{Definitions, ToolContext, ToolResult};

/// One call, as an audit sees it.
///
/// Told to the closure of [`Tools::audited`].
#[derive(Clone, Copy, Debug)]
pub struct AuditedCall<'a> {
    /// The call.
    pub call: CallId,
    /// The tool.
    pub name: &'a str,
    /// The arguments as the model wrote them.
    pub arguments: &'a str,
    /// What came of it.
    pub outcome: &'a Result<ToolResult, ExecuteError>,
}

/// Tools whose calls are recorded; made by [`Tools::audited`].
#[derive(Clone)]
pub struct Audited<T, F> {
    inner: T,
    record: F,
}

impl<T, F> Audited<T, F> {
    pub(super) fn new(inner: T, record: F) -> Self {
        Self { inner, record }
    }
}

impl<T: fmt::Debug, F> fmt::Debug for Audited<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audited")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl<T: Tools, F: Fn(AuditedCall<'_>) + Send + Sync> Tools for Audited<T, F> {
    fn definitions(&self) -> Definitions {
        self.inner.definitions()
    }

    fn is_read_only(&self, name: &str) -> bool {
        self.inner.is_read_only(name)
    }

    async fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> Result<ToolResult, ExecuteError> {
        let outcome = self.inner.execute(name, arguments, context).await;
        (self.record)(AuditedCall {
            call: context.call,
            name,
            arguments,
            outcome: &outcome,
        });
        outcome
    }
}
