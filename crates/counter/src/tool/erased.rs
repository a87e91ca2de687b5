use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolcrib::read::{Problem, Unreadable};
use toolcrib::{ToolResult, schema};
use toolcrib_data::records::ModelFunction;

use super::{CallContext, Caller, Preview, Refusal, SystemTool, ToolSpec};
use crate::{AgentScope, Principal};

pub(crate) type Future<'a, T> = Pin<Box<dyn std::future::Future<Output = T> + Send + 'a>>;

/// A built-in tool behind one object type; the boxing happens here and nowhere else.
pub(crate) trait ErasedTool: Send + Sync {
    fn runs_outside_transaction(&self) -> bool;
    fn undone_by_rollback(&self) -> bool;
    fn is_allowed(&self, principal: &Principal, agent: Option<&AgentScope>) -> bool;
    fn refusal(&self, principal: &Principal) -> Option<Refusal>;
    fn prepare(&self, arguments: Map<String, Value>) -> Result<Box<dyn PreparedCall>, Unreadable>;
    fn provide_context<'a>(&'a self, caller: Caller<'a>) -> Future<'a, Option<String>>;
}

/// A call of a built-in tool whose arguments are read.
pub(crate) trait PreparedCall: Send + Sync {
    fn connection(&self) -> Option<String>;
    fn function(&self) -> Option<(String, ModelFunction)>;
    fn title(&self, caller: Caller<'_>, configured: &str) -> String;
    fn check_rights(
        &self,
        principal: &Principal,
        agent: Option<&AgentScope>,
    ) -> Result<(), Refusal>;
    fn before_approval<'a>(
        &'a self,
        context: &'a mut CallContext<'_>,
    ) -> Future<'a, Result<Preview, Refusal>>;
    fn check_unchanged<'a>(
        &'a self,
        context: &'a mut CallContext<'_>,
        fingerprint: &'a str,
    ) -> Future<'a, Result<(), Refusal>>;
    fn run<'a>(&'a self, context: &'a mut CallContext<'_>) -> Future<'a, ToolResult>;
}

/// A built-in tool, with what it is.
#[derive(Clone)]
pub(crate) struct BuiltIn {
    pub(crate) spec: ToolSpec,
    pub(crate) tool: Arc<dyn ErasedTool>,
    /// The function of a data model that it is, if it is one.
    pub(crate) function: Option<(String, ModelFunction)>,
}

impl BuiltIn {
    pub(crate) fn new<T: SystemTool>(tool: T) -> Self {
        let spec = ToolSpec {
            name: tool.name().into(),
            title: tool.title().into(),
            description: tool.description().into(),
            kind: tool.kind(),
            level: tool.level(),
            input_schema: schema::of::<T::Input>(),
        };
        Self {
            spec,
            tool: Arc::new(Shared(Arc::new(tool))),
            function: None,
        }
    }
}

impl fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuiltIn")
            .field("name", &self.spec.name)
            .finish_non_exhaustive()
    }
}

struct Shared<T>(Arc<T>);

struct Prepared<T: SystemTool> {
    tool: Arc<T>,
    input: T::Input,
}

impl<T: SystemTool> ErasedTool for Shared<T> {
    fn runs_outside_transaction(&self) -> bool {
        self.0.runs_outside_transaction()
    }

    fn undone_by_rollback(&self) -> bool {
        self.0.undone_by_rollback()
    }

    fn is_allowed(&self, _: &Principal, _: Option<&AgentScope>) -> bool {
        true
    }

    fn refusal(&self, principal: &Principal) -> Option<Refusal> {
        self.0.refusal(principal)
    }

    fn prepare(&self, arguments: Map<String, Value>) -> Result<Box<dyn PreparedCall>, Unreadable> {
        match serde_json::from_value(Value::Object(arguments)) {
            Ok(input) => Ok(Box::new(Prepared {
                tool: Arc::clone(&self.0),
                input,
            })),
            Err(error) => Err(Unreadable {
                problems: vec![Problem {
                    pointer: String::new(),
                    message: error.to_string(),
                }],
            }),
        }
    }

    fn provide_context<'a>(&'a self, caller: Caller<'a>) -> Future<'a, Option<String>> {
        Box::pin(self.0.provide_context(caller))
    }
}

impl<T: SystemTool> PreparedCall for Prepared<T> {
    fn connection(&self) -> Option<String> {
        self.tool.connection(&self.input)
    }

    fn function(&self) -> Option<(String, ModelFunction)> {
        self.tool.function(&self.input)
    }

    fn title(&self, caller: Caller<'_>, configured: &str) -> String {
        self.tool.call_title(caller, &self.input, configured)
    }

    fn check_rights(
        &self,
        principal: &Principal,
        agent: Option<&AgentScope>,
    ) -> Result<(), Refusal> {
        self.tool.check_rights(principal, agent, &self.input)
    }

    fn before_approval<'a>(
        &'a self,
        context: &'a mut CallContext<'_>,
    ) -> Future<'a, Result<Preview, Refusal>> {
        Box::pin(self.tool.before_approval(context, &self.input))
    }

    fn check_unchanged<'a>(
        &'a self,
        context: &'a mut CallContext<'_>,
        fingerprint: &'a str,
    ) -> Future<'a, Result<(), Refusal>> {
        Box::pin(self.tool.check_unchanged(context, &self.input, fingerprint))
    }

    fn run<'a>(&'a self, context: &'a mut CallContext<'_>) -> Future<'a, ToolResult> {
        Box::pin(self.tool.run(context, &self.input))
    }
}
