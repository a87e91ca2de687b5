use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde_json::{Map, Value};

use crate::{ToolContext, ToolDefinition, ToolResult};

/// Whether somebody ran a named tool.
///
/// Shown at [`ToolHandler`].
#[derive(Clone, Debug, PartialEq)]
pub enum Handled {
    /// It was run, and this came of it: a success or a failure.
    Done(ToolResult),
    /// The name is somebody else's.
    NotMine,
}

impl From<ToolResult> for Handled {
    fn from(result: ToolResult) -> Self {
        Self::Done(result)
    }
}

/// One type that lists several tools and runs them by name.
///
/// ```
/// use serde_json::{Map, Value};
/// use toolcrib::{Handled, ToolContext, ToolDefinition, ToolHandler, ToolResult, ToolSet};
/// use toolcrib::schema::{field, number, object};
///
/// struct Sums;
///
/// impl ToolHandler for Sums {
///     fn definitions(&self) -> Vec<ToolDefinition> {
///         let two = object([field("a", number()), field("b", number())]);
///         ToolSet::tool_definition("add", "Adds two numbers.", two).into_iter().collect()
///     }
///
///     async fn execute(&self, _: &ToolContext, name: &str, arguments: Map<String, Value>) -> Handled {
///         let number = |name: &str| arguments.get(name).and_then(Value::as_f64).unwrap_or_default();
///         match name {
///             "add" => ToolResult::success(number("a") + number("b")).into(),
///             _ => Handled::NotMine,
///         }
///     }
/// }
/// ```
pub trait ToolHandler: Send + Sync + 'static {
    /// The tools.
    fn definitions(&self) -> Vec<ToolDefinition>;

    /// Whether a tool changes nothing, so that calls may run side by side.
    fn is_read_only(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Runs the tool of that name.
    fn execute(
        &self,
        context: &ToolContext,
        name: &str,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Handled> + Send;
}

/// A call that an executor is offered; its arguments were read against the tool's schema.
///
/// Given to the callback of [`ToolSet::add_executor`](crate::ToolSet::add_executor).
#[derive(Clone, Debug)]
pub struct NamedCall {
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// What else is known of the call.
    pub context: ToolContext,
}

pub(crate) type HandledFuture<'a> = Pin<Box<dyn Future<Output = Handled> + Send + 'a>>;

/// A handler behind one object type; the boxing happens here and nowhere else.
pub(crate) trait ErasedHandler: Send + Sync {
    fn is_read_only(&self, name: &str) -> bool;
    fn execute<'a>(
        &'a self,
        context: &'a ToolContext,
        name: &'a str,
        arguments: Map<String, Value>,
    ) -> HandledFuture<'a>;
}

impl<H: ToolHandler> ErasedHandler for H {
    fn is_read_only(&self, name: &str) -> bool {
        ToolHandler::is_read_only(self, name)
    }

    fn execute<'a>(
        &'a self,
        context: &'a ToolContext,
        name: &'a str,
        arguments: Map<String, Value>,
    ) -> HandledFuture<'a> {
        Box::pin(ToolHandler::execute(self, context, name, arguments))
    }
}

/// An executor callback behind one object type.
pub(crate) struct Executor(Box<dyn Fn(NamedCall) -> HandledFuture<'static> + Send + Sync>);

impl Executor {
    pub(crate) fn new<F, Answer>(run: F) -> Self
    where
        F: Fn(NamedCall) -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Handled> + Send + 'static,
    {
        Self(Box::new(move |call| Box::pin(run(call))))
    }

    pub(crate) fn run(&self, call: NamedCall) -> HandledFuture<'static> {
        (self.0)(call)
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Executor")
    }
}
