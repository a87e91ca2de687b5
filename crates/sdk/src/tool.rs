//! Tools as an author writes them, and as the loop runs them.

pub(crate) mod context;
pub(crate) mod definition;
pub(crate) mod definitions;
pub(crate) mod erased;
pub(crate) mod error;
pub(crate) mod function;
pub(crate) mod handler;
pub(crate) mod into_result;
pub(crate) mod result;

use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{ToolContext, ToolResult};

/// One function that a language model can call.
///
/// ```
/// use toolcrib::{Tool, ToolContext, ToolResult};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Echo {
///     /// What to say back.
///     message: String,
/// }
///
/// struct EchoTool;
///
/// impl Tool for EchoTool {
///     type Input = Echo;
///     fn name(&self) -> &str { "echo" }
///     fn description(&self) -> &str { "Says the message back." }
///     async fn call(&self, _: &ToolContext, input: Echo) -> ToolResult {
///         ToolResult::success(input.message)
///     }
/// }
/// ```
pub trait Tool: Send + Sync + 'static {
    /// What the function takes. Field docs become the parameters' descriptions.
    type Input: DeserializeOwned + JsonSchema + Send;

    /// The name that the model calls: a letter, then letters, digits and underscores, at most 64.
    fn name(&self) -> &str;

    /// What the function does and returns, for the model to read.
    fn description(&self) -> &str;

    /// The schema of the input, where one is kept that is to win over the one of the type.
    fn input_schema(&self) -> Option<Value> {
        None
    }

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

    /// Goes on after [`ToolResult::NeedsAnswer`], with what the tool kept and the person's answer.
    fn resume(
        &self,
        context: &ToolContext,
        state: Value,
        answer: Value,
    ) -> impl Future<Output = ToolResult> + Send {
        let _ = (context, state, answer);
        async { ToolResult::failure("This tool does not go on after a question.") }
    }
}
