use std::sync::atomic::{AtomicUsize, Ordering};

use super::{ExecuteError, Tools};
use crate::{Definitions, ToolContext, ToolResult};

/// Tools that may be called so often and no more; made by [`Tools::limited`].
#[derive(Debug)]
pub struct Limited<T> {
    inner: T,
    most: usize,
    used: AtomicUsize,
}

impl<T> Limited<T> {
    pub(super) fn new(inner: T, most: usize) -> Self {
        Self {
            inner,
            most,
            used: AtomicUsize::new(0),
        }
    }
}

impl<T: Tools> Tools for Limited<T> {
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
        let more = |used: usize| (used < self.most).then_some(used + 1);
        let may = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        if may.is_err() {
            return Ok(ToolResult::failure(format!(
                "Not run: these tools may be called {} times, and have been. Go on without them.",
                self.most
            )));
        }
        self.inner.execute(name, arguments, context).await
    }
}
