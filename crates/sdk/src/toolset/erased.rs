use std::pin::Pin;

use super::{ExecuteError, Tools};
use crate::{ToolContext, ToolResult};

type ExecuteFuture<'a> =
    Pin<Box<dyn Future<Output = Result<ToolResult, ExecuteError>> + Send + 'a>>;

/// A set inside another, behind one object type.
pub(super) trait ErasedTools: Send + Sync {
    fn is_read_only(&self, name: &str) -> bool;
    fn execute<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        context: &'a ToolContext,
    ) -> ExecuteFuture<'a>;
}

impl<T: Tools> ErasedTools for T {
    fn is_read_only(&self, name: &str) -> bool {
        Tools::is_read_only(self, name)
    }

    fn execute<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        context: &'a ToolContext,
    ) -> ExecuteFuture<'a> {
        Box::pin(Tools::execute(self, name, arguments, context))
    }
}
