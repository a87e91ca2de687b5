use serde_json::Value;

use super::{Entry, ToolSet, ToolSetError};
use crate::read::Reader;
use crate::tool::erased::RegisteredTool;
use crate::{Tool, ToolDefinition};
use std::sync::Arc;

/// What can be added to a set; closed, so that the order of a name's runners stays known.
///
/// ```
/// use serde_json::json;
/// use toolcrib::ToolSet;
///
/// let nothing = json!({"type": "object", "properties": {}});
/// let mut tools = ToolSet::new();
/// tools.add(("now", "Tells the time.", nothing.clone()))?;
/// tools.add(json!({"name": "today", "description": "Tells the date.", "parameters": nothing}))?;
/// assert_eq!(tools.count(), 2);
/// # Ok::<(), toolcrib::ToolSetError>(())
/// ```
pub trait Registration {
    #[doc(hidden)]
    fn register_in(self, tools: &mut ToolSet, sealed: Sealed) -> Result<(), ToolSetError>;
}

/// Keeps [`Registration`] closed: nobody outside can name it.
#[derive(Clone, Copy, Debug)]
pub struct Sealed;

impl<T: Tool> Registration for T {
    fn register_in(self, tools: &mut ToolSet, _: Sealed) -> Result<(), ToolSetError> {
        let tool = RegisteredTool::new(self)?;
        let definition = tool.definition.clone();
        tools.insert(definition, Entry::Typed(Arc::new(tool)))
    }
}

impl Registration for ToolDefinition {
    fn register_in(self, tools: &mut ToolSet, _: Sealed) -> Result<(), ToolSetError> {
        let reader =
            Reader::new(&self.input_schema).map_err(|error| error.of_tool(self.name.as_str()))?;
        tools.insert(self, Entry::Named(Arc::new(reader)))
    }
}

impl Registration for Value {
    fn register_in(self, tools: &mut ToolSet, sealed: Sealed) -> Result<(), ToolSetError> {
        let definition: ToolDefinition = serde_json::from_value(self)
            .map_err(|error| ToolSetError::Definition(error.to_string()))?;
        definition.register_in(tools, sealed)
    }
}

impl<S: Into<Value>> Registration for (&str, &str, S) {
    fn register_in(self, tools: &mut ToolSet, _: Sealed) -> Result<(), ToolSetError> {
        tools.register(self.0, self.1, self.2)
    }
}
