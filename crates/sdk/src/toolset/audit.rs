use std::fmt;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;

use super::{ExecuteError, Tools};
use crate::id::CallId;
use crate::tool::error::BROKE_DOWN;
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
        let mut watch = Watch {
            record: &self.record,
            call: context.call,
            name,
            arguments,
            outcome: Ok(ToolResult::failure(GIVEN_UP)),
        };
        let running = async { self.inner.execute(name, arguments, context).await };
        let ended = AssertUnwindSafe(running).catch_unwind().await;
        watch.outcome = ended.unwrap_or_else(|_| Ok(ToolResult::failure(BROKE_DOWN)));
        watch.outcome.clone()
    }
}

/// What is recorded of a call that was dropped on the way.
const GIVEN_UP: &str = "The call was given up before it ended.";

/// Records a call when it is over, however that comes about.
struct Watch<'a, F: Fn(AuditedCall<'_>)> {
    record: &'a F,
    call: CallId,
    name: &'a str,
    arguments: &'a str,
    outcome: Result<ToolResult, ExecuteError>,
}

impl<F: Fn(AuditedCall<'_>)> Drop for Watch<'_, F> {
    fn drop(&mut self) {
        (self.record)(AuditedCall {
            call: self.call,
            name: self.name,
            arguments: self.arguments,
            outcome: &self.outcome,
        });
    }
}
