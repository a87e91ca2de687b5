use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{IntoToolResult, Tool, ToolContext, ToolResult};

/// A closure as a tool; made by [`tool_fn`].
pub struct FnTool<Input, Run, Answer> {
    name: String,
    description: String,
    is_read_only: bool,
    run: Run,
    types: PhantomData<fn(Input) -> Answer>,
}

/// Makes a tool of a closure with a typed argument.
///
/// ```
/// use toolcrib::{ToolSet, tool_fn};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Add { a: i64, b: i64 }
///
/// let mut tools = ToolSet::new();
/// tools.add(tool_fn("add", "Adds two numbers.", |input: Add| async move { input.a + input.b }))?;
/// assert!(tools.has_tool("add"));
/// # Ok::<(), toolcrib::ToolSetError>(())
/// ```
pub fn tool_fn<Input, Run, Answer>(
    name: impl Into<String>,
    description: impl Into<String>,
    run: Run,
) -> FnTool<Input, Run, Answer>
where
    Input: DeserializeOwned + JsonSchema + Send + 'static,
    Run: Fn(Input) -> Answer + Send + Sync + 'static,
    Answer: Future<Output: IntoToolResult> + Send + 'static,
{
    FnTool {
        name: name.into(),
        description: description.into(),
        is_read_only: false,
        run,
        types: PhantomData,
    }
}

impl<Input, Run, Answer> FnTool<Input, Run, Answer> {
    /// Says that the closure changes nothing, so that calls may run side by side.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }
}

impl<Input, Run, Answer> Tool for FnTool<Input, Run, Answer>
where
    Input: DeserializeOwned + JsonSchema + Send + 'static,
    Run: Fn(Input) -> Answer + Send + Sync + 'static,
    Answer: Future<Output: IntoToolResult> + Send + 'static,
{
    type Input = Input;

    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    async fn call(&self, _: &ToolContext, input: Input) -> ToolResult {
        (self.run)(input).await.into_tool_result()
    }
}

impl<Input, Run, Answer> fmt::Debug for FnTool<Input, Run, Answer> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnTool")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
