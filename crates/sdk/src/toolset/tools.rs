use super::{ApprovalRequired, Audited, AuditedCall, Filtered, Limited, Prefixed, ToolSet};
use crate::{Definitions, ToolContext, ToolDefinition, ToolResult, ToolSetError};

/// Why no tool ran.
///
/// What [`Tools::execute`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// No tool has the name; the text names the nearest.
    #[error("{0}")]
    UnknownTool(String),
    /// The tool is defined, and nobody runs it.
    #[error("the tool {0} has no executor: neither a handler nor an executor callback runs it")]
    MissingExecutor(String),
}

/// What the loop needs of tools. Sets compose by wrapping: a new concern that cuts across tools is
/// a wrapper, and edits no tool.
///
/// ```
/// use toolcrib::{Tools, ToolSet, tool_fn};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Nothing {}
///
/// let mut shop = ToolSet::new();
/// shop.add(tool_fn("close", "Closes the shop.", |_: Nothing| async { "closed" }))?;
/// let mut tools = ToolSet::new();
/// tools.include(shop.approval_required(|name| name == "close").prefixed("shop_")?)?;
/// assert!(tools.has_tool("shop_close"));
/// # Ok::<(), toolcrib::ToolSetError>(())
/// ```
pub trait Tools: Send + Sync {
    /// The definitions, in order.
    fn definitions(&self) -> Definitions;

    /// Whether a tool changes nothing.
    fn is_read_only(&self, name: &str) -> bool;

    /// Runs a tool by name with argument text as a model wrote it.
    fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> impl Future<Output = Result<ToolResult, ExecuteError>> + Send;

    /// Leaves only the tools that `keep` keeps; the others are unknown, to list and to run.
    fn filtered(self, keep: impl Fn(&ToolDefinition) -> bool) -> Filtered<Self>
    where
        Self: Sized,
    {
        Filtered::new(self, keep)
    }

    /// Puts `prefix` before every name.
    ///
    /// # Errors
    /// When a name would be none any more, for its length or its first letter.
    fn prefixed(self, prefix: &str) -> Result<Prefixed<Self>, ToolSetError>
    where
        Self: Sized,
    {
        Prefixed::new(self, prefix)
    }

    /// Lets a person decide on each call of the tools that `asks` names.
    fn approval_required<F: Fn(&str) -> bool + Send + Sync>(
        self,
        asks: F,
    ) -> ApprovalRequired<Self, F>
    where
        Self: Sized,
    {
        ApprovalRequired::new(self, asks)
    }

    /// Lets at most `most` calls through; those after fail. A call that waits and goes on counts
    /// once.
    fn limited(self, most: usize) -> Limited<Self>
    where
        Self: Sized,
    {
        Limited::new(self, most)
    }

    /// Tells `record` of each call and what came of it, also of one that panicked or was given up.
    fn audited<F: Fn(AuditedCall<'_>) + Send + Sync>(self, record: F) -> Audited<Self, F>
    where
        Self: Sized,
    {
        Audited::new(self, record)
    }
}

impl Tools for ToolSet {
    fn definitions(&self) -> Definitions {
        Self::definitions(self)
    }

    fn is_read_only(&self, name: &str) -> bool {
        Self::is_read_only(self, name)
    }

    async fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> Result<ToolResult, ExecuteError> {
        Self::execute(self, name, arguments, context).await
    }
}
