use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde_json::json;
use toolcrib::ToolDefinition;
use toolcrib::id::OrgId;
use toolcrib::read::Reader;
use toolcrib_data::platform::tools::{
    self, Audience, ToolRow, ToolSettings, ToolState, ToolVersion,
};
use toolcrib_data::records::ModelFunction;
use toolcrib_data::{Store, StoreError};

use crate::Caller;
use crate::offer::{AgentScope, is_offered, is_open};
use crate::settings::check;
use crate::tool::erased::BuiltIn;
use crate::tool::function::{FunctionSpec, OfModel};
use crate::{CounterError, Level, Principal, SystemTool};

/// A tool as it can be called: its row, its compiled schema, and what runs it.
#[derive(Clone, Debug)]
pub struct RegisteredTool {
    /// The row, at the version that runs.
    pub row: ToolRow,
    /// The file of the workspace that says the row; none where it is edited.
    pub file: Option<String>,
    pub(crate) built_in: BuiltIn,
    pub(crate) reader: Reader,
}

impl RegisteredTool {
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

/// What an editor may change in a tool's row; what is unset stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolChange {
    /// Whether it can be used at all.
    pub enabled: Option<bool>,
    /// Whether a person is asked before each call.
    pub requires_approval: Option<bool>,
    /// Whether the composer offers it.
    pub composer: Option<bool>,
    /// The roles that may call it; none for all.
    pub roles: Option<Vec<String>>,
    /// Who may use it without an agent; nobody said means those who may edit it.
    pub audience: Option<Option<Audience>>,
    /// What else there is to say, in place of all that was said.
    pub settings: Option<ToolSettings>,
}

/// A row that a file of the workspace says.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedRow {
    /// The tool.
    pub tool: String,
    /// The file.
    pub path: String,
    /// What it says; what it does not say is as usual.
    pub change: ToolChange,
}

impl ToolChange {
    pub(crate) fn on(&self, row: &ToolRow) -> ToolState {
        let now = ToolState::of(row);
        ToolState {
            enabled: self.enabled.unwrap_or(now.enabled),
            requires_approval: self.requires_approval.unwrap_or(now.requires_approval),
            composer: self.composer.unwrap_or(now.composer),
            audience: self.audience.clone().unwrap_or(now.audience),
            roles: self.roles.clone().unwrap_or(now.roles),
            settings: self.settings.clone().unwrap_or(now.settings),
        }
    }
}

/// Why a tool was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveToolError {
    /// There is no tool of that name.
    #[error("there is no tool named {0}")]
    Unknown(String),
    /// The caller may not edit tools.
    #[error("only administrators and builders may change a tool")]
    NotAllowed,
    /// A file of the workspace says the row.
    #[error(
        "this tool is set by the file {0} of the workspace; change it there, or take the file away to edit it here"
    )]
    OwnedByFile(String),
    /// Somebody saved in between.
    #[error("the tool was changed by somebody else; it is at version {version} now")]
    Changed {
        /// The version it is at.
        version: i64,
    },
    /// What was to be saved is not sound.
    #[error("{0}")]
    Unsound(String),
    /// There is no such version, or nothing is kept of it.
    #[error("version {0} can't be restored: nothing is kept of it")]
    NoVersion(i64),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
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
        }
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
        let reader = Reader::new(&row.input_schema).map_err(|error| problem(error.to_string()))?;
        Ok(RegisteredTool {
            file: self.owned().get(&row.name).map(|owned| owned.path.clone()),
            row,
            built_in: built_in.clone(),
            reader,
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
                    input_schema: tool.row.input_schema.clone(),
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

    /// Saves a change of a tool's row as its next version.
    ///
    /// # Errors
    /// When the caller may not, the tool does not exist, or it is not at `version` any more.
    pub async fn save(
        &self,
        store: &Store,
        principal: &Principal,
        name: &str,
        version: i64,
        change: &ToolChange,
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let tool = self.editable(principal, name)?;
        if let Some(path) = &tool.file {
            return Err(SaveToolError::OwnedByFile(path.clone()));
        }
        let stored = tools::get(&mut store.snapshot().await?, self.org, name).await?;
        let stored = stored.ok_or_else(|| SaveToolError::Unknown(name.to_owned()))?;
        // On another server it may have been saved since this one read it.
        if stored.version != version {
            let version = stored.version;
            return Err(SaveToolError::Changed { version });
        }
        let state = change.on(&stored);
        self.save_state(store, principal, &tool, version, state)
            .await
    }

    /// The tool of that name, if the user may edit it.
    fn editable(
        &self,
        principal: &Principal,
        name: &str,
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let tools = self.tools();
        let visible = tools
            .get(name)
            .filter(|tool| principal.may_edit() || tool.is_offered(principal, None));
        let tool = visible.ok_or_else(|| SaveToolError::Unknown(name.to_owned()))?;
        match principal.may_edit() {
            true => Ok(Arc::clone(tool)),
            false => Err(SaveToolError::NotAllowed),
        }
    }

    /// The versions of a tool, the newest first, for those who may edit it.
    ///
    /// # Errors
    /// When the caller may not, or the tool does not exist.
    pub async fn versions(
        &self,
        store: &Store,
        principal: &Principal,
        name: &str,
    ) -> Result<Vec<ToolVersion>, SaveToolError> {
        self.editable(principal, name)?;
        Ok(tools::versions(&mut store.snapshot().await?, self.org, name).await?)
    }

    /// Saves what an editor had set at an earlier version once more, as the next version. What the
    /// tool does is the release's to say, and stays.
    ///
    /// # Errors
    /// As [`Registry::save`], and when nothing is kept of that version.
    pub async fn restore(
        &self,
        store: &Store,
        principal: &Principal,
        name: &str,
        (version, earlier): (i64, i64),
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let tool = self.editable(principal, name)?;
        let versions = tools::versions(&mut store.snapshot().await?, self.org, name).await?;
        let found = versions.into_iter().find(|one| one.version == earlier);
        let state = found.and_then(|one| one.state);
        let state = state.ok_or(SaveToolError::NoVersion(earlier))?;
        self.save_state(store, principal, &tool, version, state)
            .await
    }

    async fn save_state(
        &self,
        store: &Store,
        principal: &Principal,
        tool: &RegisteredTool,
        version: i64,
        state: ToolState,
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let _turn = self.changing.lock().await;
        if let Some(path) = &tool.file {
            return Err(SaveToolError::OwnedByFile(path.clone()));
        }
        check(&state, tool.level()).map_err(SaveToolError::Unsound)?;
        let row = ToolRow {
            version,
            ..state.on(&tool.row)
        };
        let mut unit = store.unit().await?;
        let saved = tools::save(
            &mut unit,
            self.org,
            &row,
            Some(principal.user),
            store.clock().micros(),
        )
        .await?;
        let Some(saved) = saved else {
            return Err(SaveToolError::Changed {
                version: tool.row.version,
            });
        };
        unit.commit().await?;
        let saved = Arc::new(RegisteredTool {
            row: saved,
            ..tool.clone()
        });
        let mut current = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut current).insert(saved.row.name.clone(), Arc::clone(&saved));
        Ok(saved)
    }
}

fn is_the_same(row: &ToolRow, wanted: &ToolRow) -> bool {
    row.digest == wanted.compute_digest() && ToolState::of(row) == ToolState::of(wanted)
}

/// The row as this release would have it: what it is comes from the code, its switches stay.
fn wanted_row(built_in: &BuiltIn, existing: Option<&ToolRow>) -> ToolRow {
    let spec = &built_in.spec;
    let fresh = ToolRow {
        name: spec.name.to_string(),
        kind: spec.kind.to_owned(),
        version: 0,
        digest: String::new(),
        title: spec.title.to_string(),
        description: spec.description.to_string(),
        input_schema: spec.input_schema.clone(),
        config: match &built_in.function {
            None => json!({"key": spec.name}),
            Some((model, function)) => json!({"model": model, "function": function.name()}),
        },
        enabled: true,
        requires_approval: spec.level != Level::ReadOnly,
        composer: false,
        audience: Some(Audience {
            everyone: true,
            ..Audience::default()
        }),
        roles: Vec::new(),
        settings: ToolSettings::default(),
        source: built_in
            .function
            .as_ref()
            .map(|(model, _)| format!("model:{model}")),
    };
    match existing {
        None => fresh,
        Some(row) => ToolRow {
            version: row.version,
            enabled: row.enabled,
            requires_approval: row.requires_approval,
            composer: row.composer,
            audience: row.audience.clone(),
            roles: row.roles.clone(),
            settings: row.settings.clone(),
            ..fresh
        },
    }
}
