//! Tools as an author writes them, and as the loop runs them.

pub(crate) mod definition;
pub(crate) mod erased;
pub(crate) mod result;

use std::fmt;
use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use crate::ToolResult;
use crate::id::CallId;

/// One function that a language model can call.
pub trait Tool: Send + Sync + 'static {
    /// What the function takes. Field docs become the parameters' descriptions.
    type Input: DeserializeOwned + JsonSchema + Send;

    /// The name that the model calls: a letter, then letters, digits and underscores, at most 64.
    fn name(&self) -> &str;

    /// What the function does and returns, for the model to read.
    fn description(&self) -> &str;

    /// Whether it changes nothing, so that calls may run side by side.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Runs the function.
    fn call(
        &self,
        context: &ToolContext,
        input: Self::Input,
    ) -> impl Future<Output = ToolResult> + Send;
}

/// What a running tool may know of its call.
#[derive(Clone)]
pub struct ToolContext {
    /// The call's id.
    pub call: CallId,
    /// Set when the call should end; a tool that works long watches it.
    pub cancel: CancellationToken,
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}
