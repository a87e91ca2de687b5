use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use jiff::SignedDuration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolcrib::id::{OrgId, RunId, UserId};
use toolcrib::model::ToolChoice;
use toolcrib::state::CallState;
use toolcrib_counter::{Counter, CounterError, CounterOptions, Hook, Principal};
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::platform::people::{self, OrgRow};
use toolcrib_data::records::{Databases, FileContent, Operation, RecordError};
use toolcrib_data::{Clock, ConnectionUrl, Connections, Store, StoreError};
use toolcrib_tools::record::RecordData;

use crate::audit::head::NotedHead;
use crate::background::LEFT_AFTER;
use crate::events::book::{Book, Current};
use crate::open::{Opened, open};
use crate::setup::{make_folders, set_up};
use crate::stream::Hub;
use crate::workspace::apply::{load_registry, loaded, owned_rows};
use crate::{Agent, AuditKey, Callback, EndpointSettings, LanguageModels, RuntimeError, Workspace};

/// What an application is started with.
#[derive(Debug)]
pub struct RuntimeOptions {
    /// The workspace folder.
    pub dir: PathBuf,
    /// Where the time comes from.
    pub clock: Clock,
    /// The language model, where the environment or a file names one.
    pub language_model: Option<EndpointSettings>,
    /// Limits of the counter.
    pub counter: CounterOptions,
    /// Makes the model call a tool on the first step of each run; for checks with small models.
    pub force_tool: Option<ToolChoice>,
    /// Whether a migration may drop data that no model names any more.
    pub allow_data_loss: bool,
    /// What nobody may do with records, whatever the grants say.
    pub denied_operations: BTreeSet<Operation>,
    /// The databases that data models may be in, beside the platform's own.
    pub connections: Connections,
    /// The PostgreSQL database of the platform's own rows; a file in the workspace without one.
    pub database: Option<ConnectionUrl>,
    /// Whether the workspace is taken anew when its files change.
    pub watch: bool,
    /// The key of the audit chain; one in a private file of the workspace without one.
    pub audit_key: Option<AuditKey>,
    /// How long the audit is kept; for ever when unset.
    pub audit_kept: Option<SignedDuration>,
    /// Who in the embedding program is told of calls, or asked before them.
    pub callbacks: Vec<Arc<dyn Callback>>,
    /// Hooks around calls, which rows of tools name.
    pub hooks: Vec<Arc<dyn Hook>>,
}

impl RuntimeOptions {
    /// The usual settings for the workspace at `dir`.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            clock: Clock::system(),
            language_model: None,
            counter: CounterOptions::default(),
            force_tool: None,
            allow_data_loss: false,
            denied_operations: BTreeSet::new(),
            connections: Connections::default(),
            database: None,
            watch: false,
            audit_key: None,
            audit_kept: None,
            callbacks: Vec::new(),
            hooks: Vec::new(),
        }
    }
}

/// One application: a workspace, its storage, the counter, and the runs under way.
#[derive(Clone, Debug)]
pub struct Runtime(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    dir: PathBuf,
    org: OrgRow,
    is_sample: bool,
    store: Store,
    counter: Counter,
    /// What it says now; a change puts another in its place.
    workspace: Current,
    databases: Databases,
    /// Held by a change of the workspace.
    editing: tokio::sync::Mutex<()>,
    records: Arc<RecordData>,
    models: LanguageModels,
    book: Arc<Book>,
    /// Whether other servers may work on the same database.
    has_neighbours: bool,
    force_tool: Option<ToolChoice>,
    audit_key: AuditKey,
    audit_head: NotedHead,
    audit_kept: Option<SignedDuration>,
    /// When the audit may next be pruned.
    prune_from: AtomicI64,
    /// How many saves of documents and tools are in force here, of all that servers on the database made.
    saves_taken: AtomicI64,
    hub: Arc<Hub>,
    stops: Stops,
    tasks: TaskTracker,
    shutdown: CancellationToken,
}

impl Runtime {
    /// Starts an application on a folder. An empty folder becomes the sample shop.
    ///
    /// # Errors
    /// When the folder or its database can't be used; nothing runs then.
    pub async fn start(options: RuntimeOptions) -> Result<Self, RuntimeError> {
        let data = options.dir.join("data");
        make_folders(&options.dir, &data)?;
        let Opened {
            store,
            workspace,
            databases,
            is_sample,
        } = open(&options, &data).await?;
        let audit_key = match options.audit_key {
            Some(key) => key,
            None => AuditKey::of_folder(&data)?,
        };
        // Of several servers on one database none knows what the others noted down.
        let audit_head = NotedHead::new(options.database.is_none().then_some(data.as_path()));
        let loss = options.allow_data_loss;
        let org = set_up(&store, &workspace, &options.dir, loss, is_sample).await?;
        let records = RecordData::new(org.id, org.slug.clone(), options.clock, loaded(&workspace))
            .with_store(store.clone())
            .with_connections(options.connections.clone())
            .without(options.denied_operations);
        let records = Arc::new(records);
        let registry = load_registry(&store, (org.id, options.hooks), &records, &workspace).await?;
        let agents: Vec<_> = workspace.agents.values().map(Agent::scope).collect();
        let counter = Counter::new(store.clone(), registry, options.counter);
        let workspace = Arc::new(RwLock::new(Arc::new(workspace)));
        let around = (Arc::clone(&workspace), store.clock().clone());
        let book = Book::open(options.callbacks, audit_key.clone(), around)?;
        let book = Arc::new(book);
        book.load(&store, org.id).await?;
        let counter = counter
            .with_connections(options.connections)
            .with_subscribers(book.clone());
        counter.set_agents(agents);
        let models = LanguageModels::load(&store, org.id, &data, options.language_model).await?;
        let runtime = Self(Arc::new(Inner {
            name: format!("server-{}", RunId::mint()),
            dir: options.dir,
            org,
            is_sample,
            store,
            counter,
            workspace,
            databases,
            editing: tokio::sync::Mutex::default(),
            records,
            models,
            book,
            has_neighbours: options.database.is_some(),
            force_tool: options.force_tool,
            audit_key,
            audit_head,
            audit_kept: options.audit_kept,
            prune_from: AtomicI64::new(i64::MIN),
            saves_taken: AtomicI64::new(i64::MIN),
            hub: Arc::default(),
            stops: Stops::default(),
            tasks: TaskTracker::new(),
            shutdown: CancellationToken::new(),
        }));
        runtime.begin_work(options.watch).await?;
        Ok(runtime)
    }

    /// Takes up what was left behind, and begins the work that nobody asks for.
    async fn begin_work(&self, watch: bool) -> Result<(), RuntimeError> {
        if !self.0.store.is_shared() {
            // This process is the only server of an embedded database: nobody works on them.
            self.settle_left_behind(i64::MAX).await?;
            self.run_left_behind(i64::MAX, i64::MAX).await?;
        } else {
            // What was decided runs once, whoever begins; of what has run another server may be asking a hook.
            let now = self.0.store.clock().micros();
            self.run_left_behind(i64::MAX, now - LEFT_AFTER).await?;
        }
        self.look_after();
        self.listen();
        self.keep_sealing();
        self.keep_delivering();
        if watch {
            self.watch();
        }
        Ok(())
    }

    /// Ends the work under way: what is not done is left as rows, and taken up at the next start.
    pub async fn stop_all(&self) {
        self.0.shutdown.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// The organisation.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.0.org.id
    }

    /// The organisation's row.
    pub(crate) fn org_row(&self) -> &OrgRow {
        &self.0.org
    }

    /// The organisation's name.
    #[must_use]
    pub fn org_name(&self) -> &str {
        &self.0.org.name
    }

    /// The workspace folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// Whether this start made the sample shop.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.0.is_sample
    }

    /// The storage.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The counter.
    #[must_use]
    pub fn counter(&self) -> &Counter {
        &self.0.counter
    }

    /// The file in a field of a record (data model, id, field) that the user may read.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_file(
        &self,
        principal: &Principal,
        path: (&str, &str, &str),
    ) -> Result<Option<FileContent>, RecordError> {
        let Inner { records, store, .. } = &*self.0;
        records.file(store, principal, path).await
    }

    /// The language models.
    #[must_use]
    pub fn models(&self) -> &LanguageModels {
        &self.0.models
    }

    /// What the workspace says now. Who works with it keeps it: it may be another a moment later.
    #[must_use]
    pub fn workspace(&self) -> Arc<Workspace> {
        let workspace = self.0.workspace.read();
        Arc::clone(&workspace.unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes another workspace, for all that begins from now on.
    pub(crate) async fn take(&self, workspace: Workspace) -> Result<(), CounterError> {
        let Inner {
            counter, records, ..
        } = &*self.0;
        let owned = owned_rows(&self.0.store, self.0.org.id, &workspace).await?;
        records.replace(loaded(&workspace));
        toolcrib_tools::link(counter.registry(), records, &workspace.linked);
        counter.registry().set_owned(owned);
        counter.set_agents(workspace.agents.values().map(Agent::scope));
        *self
            .0
            .workspace
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(workspace);
        counter.registry().load(&self.0.store).await
    }

    pub(crate) fn book(&self) -> &Arc<Book> {
        &self.0.book
    }

    pub(crate) fn has_neighbours(&self) -> bool {
        self.0.has_neighbours
    }

    pub(crate) fn saves_taken(&self) -> &AtomicI64 {
        &self.0.saves_taken
    }

    pub(crate) fn prune_from(&self) -> &AtomicI64 {
        &self.0.prune_from
    }

    pub(crate) fn records(&self) -> &RecordData {
        &self.0.records
    }

    pub(crate) fn audit_key(&self) -> &AuditKey {
        &self.0.audit_key
    }

    pub(crate) fn audit_head(&self) -> &NotedHead {
        &self.0.audit_head
    }

    pub(crate) fn audit_kept(&self) -> Option<SignedDuration> {
        self.0.audit_kept
    }

    pub(crate) fn databases(&self) -> &Databases {
        &self.0.databases
    }

    pub(crate) fn editing(&self) -> &tokio::sync::Mutex<()> {
        &self.0.editing
    }

    /// The agent of that name.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<Agent> {
        self.workspace().agents.get(name).cloned()
    }

    /// Does work that goes on when its asker has gone, and that shutdown waits for. Answers with
    /// nothing if the work broke down.
    pub async fn track<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        self.0.tasks.spawn(work).await.ok()
    }

    /// Set once the application is to end.
    #[must_use]
    pub fn shutdown(&self) -> &CancellationToken {
        &self.0.shutdown
    }

    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    pub(crate) fn stops(&self) -> &Stops {
        &self.0.stops
    }

    pub(crate) fn tasks(&self) -> &TaskTracker {
        &self.0.tasks
    }

    /// A forced choice holds for the first step: forced again it would never end.
    pub(crate) fn first_choice(&self, step: usize) -> ToolChoice {
        match &self.0.force_tool {
            Some(choice) if step == 0 => choice.clone(),
            _ => ToolChoice::Auto,
        }
    }

    pub(crate) async fn principal_of(
        &self,
        org: OrgId,
        user: UserId,
    ) -> Result<Option<Principal>, StoreError> {
        let user = people::user(&mut self.0.store.snapshot().await?, org, user).await?;
        Ok(user
            .filter(|user| !user.disabled)
            .map(|user| Principal::new(user, None)))
    }

    /// Settles the calls beside runs that began before a moment and are under way still: their server
    /// died.
    pub(crate) async fn settle_left_behind(&self, begun_before: i64) -> Result<(), RuntimeError> {
        let filter = CallFilter {
            state: Some("running".to_owned()),
            ..CallFilter::default()
        };
        let page = Page {
            limit: 1000,
            after: None,
        };
        let mut snapshot = self.0.store.snapshot().await?;
        let left = calls::list(&mut snapshot, self.0.org.id, &filter, &page).await?;
        drop(snapshot);
        let left = left.into_iter().filter(|call| call.place.is_none());
        for call in left.filter(|call| call.started_at.unwrap_or(call.asked_at) < begun_before) {
            self.0.counter.settle(call.org, call.id).await?;
        }
        Ok(())
    }

    /// The calls beside runs that nobody works on: decided in favour before a moment, or run and not ended
    /// before another.
    pub(crate) async fn left_without_run(
        &self,
        decided_before: i64,
        ran_before: i64,
    ) -> Result<Vec<CallRow>, StoreError> {
        let page = Page {
            limit: 1000,
            after: None,
        };
        let mut snapshot = self.0.store.snapshot().await?;
        let mut left = Vec::new();
        let states = [
            (CallState::Approved, decided_before),
            (CallState::Ran, ran_before),
        ];
        for (state, before) in states {
            let filter = CallFilter {
                state: Some(state.name().to_owned()),
                ..CallFilter::default()
            };
            for row in calls::list(&mut snapshot, self.0.org.id, &filter, &page).await? {
                if row.place.is_some() {
                    continue;
                }
                let events = calls::events(&mut snapshot, row.org, row.id).await?;
                if events.last().is_none_or(|came| came.at < before) {
                    left.push(row);
                }
            }
        }
        Ok(left)
    }
}

/// The tokens by which runs of this server are stopped.
#[derive(Debug, Default)]
pub(crate) struct Stops(Mutex<HashMap<RunId, CancellationToken>>);

impl Stops {
    pub(crate) fn begin(&self, run: RunId) -> CancellationToken {
        let token = CancellationToken::new();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(run, token.clone());
        token
    }

    pub(crate) fn stop(&self, run: RunId) {
        if let Some(token) = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&run)
        {
            token.cancel();
        }
    }

    pub(crate) fn end(&self, run: RunId) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&run);
    }
}
