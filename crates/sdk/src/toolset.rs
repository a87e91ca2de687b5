//! The tools of one generation.

mod approval;
mod audit;
mod erased;
mod filter;
mod limit;
mod prefix;
mod registration;
mod tools;
mod unknown;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use self::erased::ErasedTools;
use self::registration::Sealed;
use crate::read::{InvalidSchema, Reader};
use crate::tool::definition::{InvalidToolName, ToolDefinition};
use crate::tool::erased::RegisteredTool;
use crate::tool::handler::{ErasedHandler, Executor};
use crate::{Definitions, Handled, NamedCall, ToolContext, ToolHandler, ToolResult};

pub use approval::ApprovalRequired;
pub use audit::{Audited, AuditedCall};
pub use filter::Filtered;
pub use limit::Limited;
pub use prefix::Prefixed;
pub use registration::Registration;
pub use tools::{ExecuteError, Tools};
pub use unknown::unknown_tool;

/// The tools of one generation, however each of them is written.
///
/// ```
/// use serde_json::json;
/// use toolcrib::{Handled, ToolResult, ToolSet};
/// use toolcrib::schema::{field, object, string};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut tools = ToolSet::new();
/// tools.register("echo", "Says the message back.", object([field("message", string())]))?;
/// tools.add_executor(|call| async move {
///     match call.name.as_str() {
///         "echo" => ToolResult::success(call.arguments["message"].clone()).into(),
///         _ => Handled::NotMine,
///     }
/// });
/// let result = tools.execute("echo", r#"{"message":"ping"}"#, &Default::default()).await?;
/// assert_eq!(result, ToolResult::success("ping"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct ToolSet {
    entries: BTreeMap<String, Entry>,
    list: Vec<ToolDefinition>,
    /// Built when first asked for after a change.
    definitions: OnceLock<Definitions>,
    handler: Option<Arc<dyn ErasedHandler>>,
    executors: Vec<Arc<Executor>>,
}

/// Who runs a tool of the set.
#[derive(Clone)]
enum Entry {
    Typed(Arc<RegisteredTool>),
    /// The handler, else an executor.
    Named(Arc<Reader>),
    Set(Arc<dyn ErasedTools>),
}

/// Why a tool can't join a set.
///
/// What [`ToolSet::add`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolSetError {
    /// A tool of that name is there already.
    #[error("a tool named {0} is in the set already")]
    Duplicate(String),
    /// The name is not one.
    #[error(transparent)]
    Name(#[from] InvalidToolName),
    /// The input schema is not one.
    #[error(transparent)]
    Schema(#[from] InvalidSchema),
    /// A definition object that is not one.
    #[error("not a definition: {0}; it is an object with `name`, `description` and `parameters`")]
    Definition(String),
}

impl ToolSet {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool: a typed tool, a definition, a definition object in JSON, or a name with a
    /// description and a schema. What is typed runs by itself; the others are run by the handler,
    /// else by an executor.
    ///
    /// # Errors
    /// When the name is taken or not a name, or the schema is not one.
    pub fn add(&mut self, tool: impl Registration) -> Result<(), ToolSetError> {
        tool.register_in(self, Sealed)
    }

    /// Adds a named tool, which the handler or an executor runs.
    ///
    /// # Errors
    /// As [`ToolSet::add`].
    pub fn register(
        &mut self,
        name: &str,
        description: &str,
        parameters: impl Into<Value>,
    ) -> Result<(), ToolSetError> {
        self.add(Self::tool_definition(name, description, parameters)?)
    }

    /// Builds a definition.
    ///
    /// # Errors
    /// When the name is not one.
    pub fn tool_definition(
        name: &str,
        description: &str,
        parameters: impl Into<Value>,
    ) -> Result<ToolDefinition, ToolSetError> {
        Ok(ToolDefinition {
            name: name.parse()?,
            description: description.to_owned(),
            input_schema: parameters.into(),
        })
    }

    /// Sets the handler and adds all that it defines.
    ///
    /// # Errors
    /// As [`ToolSet::add`]; nothing is added then.
    pub fn use_handler(&mut self, handler: impl ToolHandler) -> Result<(), ToolSetError> {
        let mut with = self.clone();
        for definition in handler.definitions() {
            with.add(definition)?;
        }
        with.set_handler(handler);
        *self = with;
        Ok(())
    }

    /// Sets the handler of the named tools, in place of the one before.
    pub fn set_handler(&mut self, handler: impl ToolHandler) {
        self.handler = Some(Arc::new(handler));
    }

    /// Adds an executor: it is offered the named tools that neither the handler nor an executor
    /// before it runs.
    pub fn add_executor<Run, Answer>(&mut self, run: Run)
    where
        Run: Fn(NamedCall) -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Handled> + Send + 'static,
    {
        self.executors.push(Arc::new(Executor::new(run)));
    }

    /// Adds every tool of another set, wrapped or not.
    ///
    /// # Errors
    /// When a name is taken; nothing is added then.
    pub fn include(&mut self, tools: impl Tools + 'static) -> Result<(), ToolSetError> {
        let definitions = Tools::definitions(&tools);
        let mut seen = HashSet::new();
        let taken = definitions.iter().find(|definition| {
            self.has_tool(definition.name.as_str()) || !seen.insert(&definition.name)
        });
        if let Some(taken) = taken {
            return Err(ToolSetError::Duplicate(taken.name.to_string()));
        }
        let shared: Arc<dyn ErasedTools> = Arc::new(tools);
        for definition in definitions.iter() {
            self.insert(definition.clone(), Entry::Set(Arc::clone(&shared)))?;
        }
        Ok(())
    }

    /// Runs a tool by name with argument text as a model wrote it.
    ///
    /// # Errors
    /// When the name is unknown, or nobody runs it.
    pub async fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> Result<ToolResult, ExecuteError> {
        match self.entries.get(name) {
            Some(Entry::Typed(tool)) => Ok(tool.call(context, arguments).await),
            Some(Entry::Set(tools)) => tools.execute(name, arguments, context).await,
            Some(Entry::Named(reader)) => match reader.read(arguments) {
                Err(unreadable) => Ok(ToolResult::failure(unreadable.to_string())),
                Ok(read) => {
                    self.hand_out(NamedCall {
                        name: name.to_owned(),
                        arguments: read.logged(name).value,
                        context: context.clone(),
                    })
                    .await
                }
            },
            None => Err(ExecuteError::UnknownTool(self.unknown(name))),
        }
    }

    async fn hand_out(&self, call: NamedCall) -> Result<ToolResult, ExecuteError> {
        if let Some(handler) = &self.handler {
            let handled = handler
                .execute(&call.context, &call.name, call.arguments.clone())
                .await;
            if let Handled::Done(result) = handled {
                return Ok(result);
            }
        }
        for executor in &self.executors {
            if let Handled::Done(result) = executor.run(call.clone()).await {
                return Ok(result);
            }
        }
        Err(ExecuteError::MissingExecutor(call.name))
    }

    /// What is said of a name that no tool has.
    #[must_use]
    pub fn unknown(&self, name: &str) -> String {
        unknown_tool(name, self.entries.keys().map(String::as_str))
    }

    /// The definitions, in the order added; built once for a set, not once a
    /// step.
    #[must_use]
    pub fn definitions(&self) -> Definitions {
        self.definitions
            .get_or_init(|| Definitions::from(self.list.clone()))
            .clone()
    }

    /// How many tools there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is a tool of that name.
    #[must_use]
    pub fn has_tool(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Whether a tool changes nothing.
    #[must_use]
    pub fn is_read_only(&self, name: &str) -> bool {
        match self.entries.get(name) {
            Some(Entry::Typed(tool)) => tool.is_read_only(),
            Some(Entry::Set(tools)) => tools.is_read_only(name),
            Some(Entry::Named(_)) => self
                .handler
                .as_ref()
                .is_some_and(|handler| handler.is_read_only(name)),
            None => false,
        }
    }

    fn insert(&mut self, definition: ToolDefinition, entry: Entry) -> Result<(), ToolSetError> {
        let name = definition.name.to_string();
        if self.entries.contains_key(&name) {
            return Err(ToolSetError::Duplicate(name));
        }
        self.entries.insert(name, entry);
        self.list.push(definition);
        self.definitions = OnceLock::new();
        Ok(())
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSet")
            .field("tools", &self.definitions())
            .field("handler", &self.handler.is_some())
            .field("executors", &self.executors.len())
            .finish_non_exhaustive()
    }
}
