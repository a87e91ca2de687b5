use std::collections::BTreeMap;
use std::sync::Arc;

use crate::read::InvalidSchema;
use crate::tool::definition::{InvalidToolName, ToolDefinition};
use crate::tool::erased::RegisteredTool;
use crate::{Tool, ToolContext, ToolResult, nearest};

/// The tools of one generation.
#[derive(Clone, Debug, Default)]
pub struct ToolSet {
    tools: BTreeMap<String, Arc<RegisteredTool>>,
    definitions: Arc<Vec<ToolDefinition>>,
}

/// Why a tool can't join a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolSetError {
    /// A tool of that name is there already.
    #[error("a tool named {0} is in the set already")]
    Duplicate(String),
    /// The name is not one.
    #[error(transparent)]
    Name(InvalidToolName),
    /// The input schema is not one.
    #[error(transparent)]
    Schema(InvalidSchema),
}

impl ToolSet {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a typed tool. Its definition is built here, once.
    ///
    /// # Errors
    /// When the name is taken or not a name.
    pub fn add(&mut self, tool: impl Tool) -> Result<(), ToolSetError> {
        let tool = RegisteredTool::new(tool)?;
        let name = tool.definition.name.to_string();
        if self.tools.contains_key(&name) {
            return Err(ToolSetError::Duplicate(name));
        }
        Arc::make_mut(&mut self.definitions).push(tool.definition.clone());
        self.tools.insert(name, Arc::new(tool));
        Ok(())
    }

    /// Runs a tool by name with argument text as a model wrote it.
    /// An unknown name is a failure that names the nearest tools.
    pub async fn execute(&self, name: &str, arguments: &str, context: &ToolContext) -> ToolResult {
        match self.tools.get(name) {
            Some(tool) => tool.call(context, arguments).await,
            None => ToolResult::failure(self.unknown(name)),
        }
    }

    /// What a model is told that asks for a tool that is not there.
    #[must_use]
    pub fn unknown(&self, name: &str) -> String {
        unknown_tool(name, self.tools.keys().map(String::as_str))
    }

    /// The definitions, in the order added.
    #[must_use]
    pub fn definitions(&self) -> Arc<Vec<ToolDefinition>> {
        Arc::clone(&self.definitions)
    }

    /// How many tools there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is a tool of that name.
    #[must_use]
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    pub(crate) fn is_read_only(&self, name: &str) -> bool {
        self.tools.get(name).is_some_and(|tool| tool.is_read_only())
    }
}

/// What is said of a tool name that nobody has: the nearest names, else those that exist.
#[must_use]
pub fn unknown_tool<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let shown: String = name.chars().take(80).collect();
    let near = nearest(name, known.clone(), 3);
    if near.is_empty() {
        let all: Vec<&str> = known.take(20).collect();
        if all.is_empty() {
            return format!("There is no tool named `{shown}`, and no other.");
        }
        return format!(
            "There is no tool named `{shown}`. There are: {}.",
            all.join(", ")
        );
    }
    format!(
        "There is no tool named `{shown}`. Nearest: {}.",
        near.join(", ")
    )
}
