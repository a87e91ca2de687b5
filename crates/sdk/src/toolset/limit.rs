use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::{ExecuteError, Tools};
use crate::id::CallId;
use crate::{Definitions, ToolContext, ToolResult};

/// Tools that may be called so often and no more; made by [`Tools::limited`].
#[derive(Debug)]
pub struct Limited<T> {
    inner: T,
    most: usize,
    /// A call that waited comes twice and counts once.
    counted: Mutex<HashSet<CallId>>,
}

impl<T> Limited<T> {
    pub(super) fn new(inner: T, most: usize) -> Self {
        Self {
            inner,
            most,
            counted: Mutex::default(),
        }
    }

    fn counts(&self, call: CallId) -> bool {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.len() >= self.most {
            return counted.contains(&call);
        }
        counted.insert(call);
        true
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
        if !self.counts(context.call) {
            return Ok(ToolResult::failure(format!(
                "Not run: these tools may be called {} times, and have been. Go on without them.",
                self.most
            )));
        }
        self.inner.execute(name, arguments, context).await
    }
}
