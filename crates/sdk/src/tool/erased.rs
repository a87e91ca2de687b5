use std::fmt;
use std::pin::Pin;

use serde_json::{Map, Value};

use super::Tool;
use super::context::Resume;
use crate::read::{InvalidSchema, Reader};
use crate::tool::definition::{InvalidToolName, ToolDefinition};
use crate::{ToolContext, ToolResult};
use crate::{ToolSetError, schema};

type CallFuture<'a> = Pin<Box<dyn Future<Output = ToolResult> + Send + 'a>>;

/// A typed tool behind one object type; the boxing happens here and nowhere else.
trait Erased: Send + Sync {
    fn is_read_only(&self) -> bool;
    fn call<'a>(
        &'a self,
        context: &'a ToolContext,
        arguments: Map<String, Value>,
    ) -> CallFuture<'a>;
}

impl<T: Tool> Erased for T {
    fn is_read_only(&self) -> bool {
        Tool::is_read_only(self)
    }

    fn call<'a>(
        &'a self,
        context: &'a ToolContext,
        arguments: Map<String, Value>,
    ) -> CallFuture<'a> {
        Box::pin(async move {
            if let Some(Resume { state, answer }) = context.resume.clone() {
                return Tool::resume(self, context, state, answer).await;
            }
            match serde_json::from_value(Value::Object(arguments)) {
                Ok(input) => Tool::call(self, context, input).await,
                Err(error) => {
                    ToolResult::failure(format!("The arguments could not be read.\n- {error}"))
                }
            }
        })
    }
}

/// A tool with its definition and its reader, both made once.
pub(crate) struct RegisteredTool {
    pub(crate) definition: ToolDefinition,
    reader: Reader,
    tool: Box<dyn Erased>,
}

impl fmt::Debug for RegisteredTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegisteredTool")
            .field("name", &self.definition.name)
            .finish_non_exhaustive()
    }
}

impl RegisteredTool {
    pub(crate) fn new<T: Tool>(tool: T) -> Result<Self, ToolSetError> {
        let input_schema = tool.input_schema().unwrap_or_else(schema::of::<T::Input>);
        let name = tool
            .name()
            .parse()
            .map_err(|error: InvalidToolName| ToolSetError::Name(error))?;
        let reader = Reader::new(&input_schema)
            .map_err(|error: InvalidSchema| ToolSetError::Schema(error.of_tool(tool.name())))?;
        let definition = ToolDefinition {
            name,
            description: tool.description().to_owned(),
            input_schema,
        };
        Ok(Self {
            definition,
            reader,
            tool: Box::new(tool),
        })
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.tool.is_read_only()
    }

    pub(crate) async fn call(&self, context: &ToolContext, arguments: &str) -> ToolResult {
        match self.reader.read(arguments) {
            Ok(read) => {
                let read = read.logged(self.definition.name.as_str());
                self.tool.call(context, read.value).await
            }
            Err(unreadable) => ToolResult::failure(unreadable.to_string()),
        }
    }
}
