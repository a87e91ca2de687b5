//! The tools of one organisation, in memory as they are in the database.
//!
//! - [`row`] is what a release and the files of the workspace would have a row say.
//! - [`save`] is what editors change of it.

mod row;
mod save;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde_json::Value;
use toolcrib::ToolDefinition;
use toolcrib::id::OrgId;
use toolcrib::read::Reader;
use toolcrib_data::Store;
use toolcrib_data::platform::tools::{self, ToolRow, ToolState};
use toolcrib_data::records::ModelFunction;

use self::row::{is_the_same, wanted_row, without};
use crate::Caller;
use crate::offer::{AgentScope, is_offered, is_open};
use crate::tool::erased::BuiltIn;
use crate::tool::function::{FunctionSpec, OfModel};
use crate::{CounterError, Hook, Level, Principal, SystemTool};

pub use self::row::OwnedRow;
pub use self::save::{SaveToolError, ToolChange};

/// A tool as it can be called: its row, its compiled schema, and what runs it.
#[derive(Clone, Debug)]
pub struct RegisteredTool {
    /// The row, at the version that runs.
    pub row: ToolRow,
    /// The file of the workspace that says the row; none where it is edited.
    pub file: Option<String>,
    pub(crate) built_in: BuiltIn,
    /// Reads all that the tool takes.
    pub(crate) reader: Reader,
    pub(crate) offered: Offered,
}

/// What callers of a tool send: what its hook fills is left out.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    pub(crate) schema: Value,
    pub(crate) reader: Reader,
}

impl RegisteredTool {
    /// JSON Schema of what callers send.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.offered.schema
    }

    /// The safety level.
    #[must_use]
    pub fn level(&self) -> Level {
        self.built_in.spec.level
    }

    /// How long a call may take, if its row says.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.row.settings.timeout_ms.map(Duration::from_millis)
    }

    /// Whether it is offered to this caller.
    fn is_offered(&self, principal: &Principal, agent: Option<&AgentScope>) -> bool {
        is_offered(&self.row, principal, agent) && self.built_in.tool.is_allowed(principal, agent)
    }

    /// Whether a call of it waits for a person.
    #[must_use]
    pub fn asks(&self) -> bool {
        match self.level() {
            Level::ReadOnly => false,
            Level::Write => self.row.requires_approval,
            Level::Destructive => true,
        }
    }
}

/// The tools of one organisation, kept in memory as they are in the database.
#[derive(Debug)]
pub struct Registry {
    org: OrgId,
    built_ins: BTreeMap<String, BuiltIn>,
    /// The functions of linked data models, which come and go with them.
    functions: RwLock<Arc<BTreeMap<String, BuiltIn>>>,
    /// The rows that files say, by tool.
    owned: RwLock<Arc<BTreeMap<String, OwnedRow>>>,
    tools: RwLock<Arc<BTreeMap<String, Arc<RegisteredTool>>>>,
    /// Held while rows are read and put in place, and while one is saved: none of them undoes another.
    changing: tokio::sync::Mutex<()>,
    hooks: BTreeMap<String, Arc<dyn Hook>>,
}

impl Registry {
    /// An empty registry; built-in tools are added to it before it is loaded.
    #[must_use]
    pub fn new(org: OrgId) -> Self {
        Self {
            org,
            built_ins: BTreeMap::new(),
            functions: RwLock::default(),
            owned: RwLock::default(),
            tools: RwLock::default(),
            changing: tokio::sync::Mutex::default(),
            hooks: BTreeMap::new(),
        }
    }

    /// Adds a hook, which rows of tools can name from then on.
    pub fn add_hook(&mut self, hook: Arc<dyn Hook>) {
        self.hooks.insert(hook.name().to_owned(), hook);
    }

    /// The hook of that name.
    pub(crate) fn hook(&self, name: &str) -> Option<Arc<dyn Hook>> {
        self.hooks.get(name).cloned()
    }

    /// The names of all hooks.
    pub fn hooks(&self) -> impl Iterator<Item = &str> + Clone {
        self.hooks.keys().map(String::as_str)
    }

    /// Adds a built-in tool.
    pub fn add(&mut self, tool: impl SystemTool) {
        let built_in = BuiltIn::new(tool);
        self.built_ins
            .insert(built_in.spec.name.to_string(), built_in);
    }

    /// Takes these functions of data models in place of those before; each is done by a built-in
    /// tool that was added. They are tools from the next [`Registry::load`] on.
    pub fn set_functions<F: OfModel>(
        &self,
        functions: impl IntoIterator<Item = (FunctionSpec, F)>,
    ) {
        let functions = functions.into_iter().filter_map(|(spec, of)| {
            let by = self.built_ins.get(spec.by)?;
            let built_in = BuiltIn::of_model(spec, by, of);
            Some((built_in.spec.name.to_string(), built_in))
        });
        let functions = Arc::new(functions.collect());
        *self
            .functions
            .write()
            .unwrap_or_else(PoisonError::into_inner) = functions;
    }

    /// Takes these rows as files say them, in place of those before; from the next [`Registry::load`] on.
    pub fn set_owned(&self, rows: impl IntoIterator<Item = OwnedRow>) {
        let rows = rows.into_iter().map(|row| (row.tool.clone(), row));
        let rows = Arc::new(rows.collect());
        *self.owned.write().unwrap_or_else(PoisonError::into_inner) = rows;
    }

    fn owned(&self) -> Arc<BTreeMap<String, OwnedRow>> {
        Arc::clone(&self.owned.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What an editor can set of a tool, as it is when nobody has set anything.
    #[must_use]
    pub fn usual(&self, tool: &RegisteredTool) -> ToolState {
        ToolState::of(&wanted_row(&tool.built_in, None))
    }

    /// Makes the missing rows of built-in tools, brings the others up to date, and reads them all.
    ///
    /// # Errors
    /// When storage fails or a built-in tool is not sound.
    pub async fn load(&self, store: &Store) -> Result<(), CounterError> {
        let _turn = self.changing.lock().await;
        let now = store.clock().micros();
        let rows: BTreeMap<String, ToolRow> = tools::list(&mut store.snapshot().await?, self.org)
            .await?
            .into_iter()
            .map(|row| (row.name.clone(), row))
            .collect();
        let mut unit = store.unit().await?;
        let mut loaded = BTreeMap::new();
        let (functions, owned) = (self.functions(), self.owned());
        for built_in in self.built_ins.values().chain(functions.values()) {
            let name = built_in.spec.name.as_ref();
            let mut wanted = wanted_row(built_in, rows.get(name));
            if let Some(owned) = owned.get(name) {
                let state = owned.change.on(&wanted_row(built_in, None));
                wanted = state.on(&wanted);
            }
            let row = match rows.get(name) {
                Some(row) if is_the_same(row, &wanted) => row.clone(),
                _ => match tools::save(&mut unit, self.org, &wanted, None, now).await? {
                    Some(saved) => saved,
                    // Another server saved it just now; what it saved holds.
                    None => tools::get(&mut unit, self.org, name)
                        .await?
                        .ok_or_else(|| {
                            let problem =
                                "its row was changed and deleted at the same time".to_owned();
                            let name = name.to_owned();
                            CounterError::BuiltIn { name, problem }
                        })?,
                },
            };
            loaded.insert(row.name.clone(), Arc::new(self.register(row, built_in)?));
        }
        unit.commit().await?;
        *self.tools.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(loaded);
        Ok(())
    }

    fn register(&self, row: ToolRow, built_in: &BuiltIn) -> Result<RegisteredTool, CounterError> {
        let problem = |problem: String| CounterError::BuiltIn {
            name: row.name.clone(),
            problem,
        };
        let reader =
            |schema: &Value| Reader::new(schema).map_err(|error| problem(error.to_string()));
        let schema = without(&row.input_schema, &row.settings.hooks.fills);
        Ok(RegisteredTool {
            file: self.owned().get(&row.name).map(|owned| owned.path.clone()),
            built_in: built_in.clone(),
            reader: reader(&row.input_schema)?,
            offered: Offered {
                reader: reader(&schema)?,
                schema,
            },
            row,
        })
    }

    /// The built-in tool of that name, offered to anybody or not.
    pub(crate) fn built_in(&self, name: &str) -> Option<BuiltIn> {
        let built_in = self.built_ins.get(name).cloned();
        built_in.or_else(|| self.functions().get(name).cloned())
    }

    fn functions(&self) -> Arc<BTreeMap<String, BuiltIn>> {
        let functions = self.functions.read();
        Arc::clone(&functions.unwrap_or_else(PoisonError::into_inner))
    }

    fn tools(&self) -> Arc<BTreeMap<String, Arc<RegisteredTool>>> {
        Arc::clone(&self.tools.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The tool of that name, if it is offered to this caller. Listing and running both come here.
    #[must_use]
    pub fn find(
        &self,
        name: &str,
        principal: &Principal,
        agent: Option<&AgentScope>,
    ) -> Option<Arc<RegisteredTool>> {
        self.tools()
            .get(name)
            .filter(|tool| tool.is_offered(principal, agent))
            .cloned()
    }

    /// The tool of that name, offered to anybody or not.
    pub(crate) fn row(&self, name: &str) -> Option<Arc<RegisteredTool>> {
        self.tools().get(name).cloned()
    }

    /// The row of a function of a data model, if the model is linked with it.
    pub(crate) fn function(
        &self,
        model: &str,
        function: ModelFunction,
    ) -> Option<Arc<RegisteredTool>> {
        let tool = self.tools().get(&function.tool(model)).cloned()?;
        let is_this = |of: &(String, ModelFunction)| of.0 == model && of.1 == function;
        tool.built_in
            .function
            .as_ref()
            .is_some_and(is_this)
            .then_some(tool)
    }

    /// The functions of data models that are switched off, or not for the roles of this user: they
    /// bind every tool that names the model.
    #[must_use]
    pub fn closed(&self, principal: &Principal) -> BTreeSet<(String, ModelFunction)> {
        let tools = self.tools();
        let closed = tools
            .values()
            .filter(|tool| !is_open(&tool.row, principal))
            .filter_map(|tool| tool.built_in.function.clone());
        closed.collect()
    }

    /// The tools that are offered to this caller, by name.
    #[must_use]
    pub fn offered(
        &self,
        principal: &Principal,
        agent: Option<&AgentScope>,
    ) -> Vec<Arc<RegisteredTool>> {
        self.tools()
            .values()
            .filter(|tool| tool.is_offered(principal, agent))
            .cloned()
            .collect()
    }

    /// The tools that this caller sees on the Tools page: those offered, and for editors all.
    #[must_use]
    pub fn visible(&self, principal: &Principal) -> Vec<Arc<RegisteredTool>> {
        self.tools()
            .values()
            .filter(|tool| principal.may_edit() || tool.is_offered(principal, None))
            .cloned()
            .collect()
    }

    /// The definitions that a model is shown, in a stable order.
    #[must_use]
    pub fn definitions(&self, principal: &Principal, agent: &AgentScope) -> Vec<ToolDefinition> {
        self.offered(principal, Some(agent))
            .into_iter()
            .filter_map(|tool| {
                Some(ToolDefinition {
                    name: tool.row.name.parse().ok()?,
                    description: tool.row.description.clone(),
                    input_schema: tool.input_schema().clone(),
                })
            })
            .collect()
    }

    /// Texts that the offered tools add to the system prompt, in the order of their names.
    pub async fn context(&self, principal: &Principal, agent: &AgentScope) -> Vec<String> {
        let caller = Caller {
            principal,
            agent: Some(agent),
        };
        let mut texts = Vec::new();
        for tool in self.offered(principal, Some(agent)) {
            texts.extend(tool.built_in.tool.provide_context(caller).await);
        }
        texts
    }
}
