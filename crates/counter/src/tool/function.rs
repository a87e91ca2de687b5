//! Functions of data models as tools of their own: each is done by a built-in tool for all models.

use std::sync::Arc;

use serde_json::{Map, Value};
use toolcrib::read::Unreadable;
use toolcrib_data::records::ModelFunction;

use super::erased::{BuiltIn, ErasedTool, Future, PreparedCall};
use super::{Caller, Refusal, ToolSpec};
use crate::{AgentScope, Principal};

/// What a function of a data model is, before anybody configures it.
#[derive(Clone, Debug)]
pub struct FunctionSpec {
    /// The name that models call.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What it does and returns, for the model.
    pub description: String,
    /// JSON Schema of its input.
    pub input_schema: Value,
    /// The built-in tool that does it.
    pub by: &'static str,
}

/// A function of one data model.
pub trait OfModel: Send + Sync + 'static {
    /// The data model.
    fn model(&self) -> &str;

    /// The function.
    fn function(&self) -> ModelFunction;

    /// The arguments as the tool for all models takes them.
    fn whole(&self, arguments: Map<String, Value>) -> Map<String, Value>;

    /// Whether the user, narrowed by the agent, may do it with any record. To others it is not
    /// offered.
    fn is_allowed(&self, principal: &Principal, agent: Option<&AgentScope>) -> bool;
}

struct Function<T> {
    by: Arc<dyn ErasedTool>,
    of: T,
}

impl BuiltIn {
    pub(crate) fn of_model(spec: FunctionSpec, by: &Self, of: impl OfModel) -> Self {
        Self {
            function: Some((of.model().to_owned(), of.function())),
            spec: ToolSpec {
                name: spec.name.into(),
                title: spec.title.into(),
                description: spec.description.into(),
                kind: by.spec.kind,
                level: by.spec.level,
                input_schema: spec.input_schema,
            },
            tool: Arc::new(Function {
                by: Arc::clone(&by.tool),
                of,
            }),
        }
    }
}

impl<T: OfModel> ErasedTool for Function<T> {
    fn runs_outside_transaction(&self) -> bool {
        self.by.runs_outside_transaction()
    }

    fn undone_by_rollback(&self) -> bool {
        self.by.undone_by_rollback()
    }

    fn is_allowed(&self, principal: &Principal, agent: Option<&AgentScope>) -> bool {
        self.of.is_allowed(principal, agent)
    }

    fn refusal(&self, principal: &Principal) -> Option<Refusal> {
        self.by.refusal(principal)
    }

    fn prepare(&self, arguments: Map<String, Value>) -> Result<Box<dyn PreparedCall>, Unreadable> {
        self.by.prepare(self.of.whole(arguments))
    }

    /// What there is to say is said by the tool for all models.
    fn provide_context<'a>(&'a self, _: Caller<'a>) -> Future<'a, Option<String>> {
        Box::pin(async { None })
    }
}
