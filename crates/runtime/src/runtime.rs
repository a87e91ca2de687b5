use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolcrib::id::{OrgId, RunId, UserId};
use toolcrib::model::ToolChoice;
use toolcrib_counter::{Counter, CounterOptions, Principal, Registry};
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::platform::people::{self, OrgRow, UserRow};
use toolcrib_data::platform::{Page, approvals, runs};
use toolcrib_data::{Clock, Store, StoreError, StoreLock, StoreOptions, records};
use toolcrib_tools::record::RecordData;

use crate::stream::Hub;
use crate::{Agent, EndpointSettings, LanguageModels, RuntimeError, Workspace};

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
    workspace: Workspace,
    models: LanguageModels,
    force_tool: Option<ToolChoice>,
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
        let mut store_options = StoreOptions::new(data.join("toolcrib.db"));
        // The lock comes before anything is written: of two starts on one folder one goes on.
        let lock = StoreLock::take(&store_options.path)?;
        let is_sample = prepare_sample(&options.dir, &data)?;
        let workspace = Workspace::load(&options.dir)?;
        store_options.clock = options.clock.clone();
        let store = Store::open_locked(store_options, lock).await?;
        let org = set_up(&store, &workspace, options.allow_data_loss, is_sample).await?;
        let record_data = Arc::new(RecordData::new(
            org.id,
            org.slug.clone(),
            options.clock,
            Arc::clone(&workspace.catalog),
            Arc::clone(&workspace.grants),
        ));
        let mut registry = Registry::new(org.id);
        toolcrib_tools::register(&mut registry, &record_data);
        registry.load(&store).await?;
        let counter = Counter::new(store.clone(), Arc::new(registry), options.counter);
        counter.set_agents(workspace.agents.values().map(Agent::scope));
        let models = LanguageModels::load(&store, org.id, &data, options.language_model).await?;
        let runtime = Self(Arc::new(Inner {
            name: format!("server-{}", RunId::mint()),
            dir: options.dir,
            org,
            is_sample,
            store,
            counter,
            workspace,
            models,
            force_tool: options.force_tool,
            hub: Arc::default(),
            stops: Stops::default(),
            tasks: TaskTracker::new(),
            shutdown: CancellationToken::new(),
        }));
        runtime.run_left_behind(i64::MAX).await?;
        runtime.look_after();
        Ok(runtime)
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

    /// The language models.
    #[must_use]
    pub fn models(&self) -> &LanguageModels {
        &self.0.models
    }

    /// The agents, by name.
    pub fn agents(&self) -> impl Iterator<Item = &Agent> {
        self.0.workspace.agents.values()
    }

    /// The agent of that name.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<Agent> {
        self.0.workspace.agents.get(name).cloned()
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

    pub(crate) async fn approved_without_run(
        &self,
        decided_before: i64,
    ) -> Result<Vec<CallRow>, StoreError> {
        let filter = CallFilter {
            state: Some("approved".to_owned()),
            ..CallFilter::default()
        };
        let page = Page {
            limit: 1000,
            after: None,
        };
        let mut snapshot = self.0.store.snapshot().await?;
        let mut left = Vec::new();
        for row in calls::list(&mut snapshot, self.0.org.id, &filter, &page).await? {
            let approval = approvals::of_call(&mut snapshot, row.org, row.id).await?;
            let decided_at = approval
                .and_then(|approval| approval.decided_at)
                .unwrap_or(0);
            if row.place.is_none() && decided_at < decided_before {
                left.push(row);
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

fn io(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> RuntimeError {
    let what = format!("{what} {}", path.display());
    move |source| RuntimeError::Io { what, source }
}

/// Makes the folder and its private part, which nobody else on the machine can look into.
fn make_folders(dir: &Path, data: &Path) -> Result<(), RuntimeError> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(data).map_err(io("making", data))?;
    fs::set_permissions(data, fs::Permissions::from_mode(0o700)).map_err(io("closing", data))?;
    if dir.read_dir().is_err() {
        fs::create_dir_all(dir).map_err(io("making", dir))?;
    }
    Ok(())
}

/// Puts the sample shop into a folder that holds nothing but its private part. Answers whether the
/// folder is a sample. The mark is there before the first file and stays until a database is, so
/// that a start that was cut short is begun anew.
fn prepare_sample(dir: &Path, data: &Path) -> Result<bool, RuntimeError> {
    let (mark, database) = (data.join("sample"), data.join("toolcrib.db"));
    let is_empty = fs::read_dir(dir)
        .map_err(io("reading", dir))?
        .flatten()
        .all(|entry| entry.path() == data);
    if is_empty && !database.exists() {
        write_private(&mark, "")?;
    }
    if mark.exists() && !database.exists() {
        for (name, text) in records::sample::FILES {
            let path = dir.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(io("making", parent))?;
            }
            // Whole or not at all, and never over what somebody wrote.
            let part = path.with_extension("part");
            if !path.exists() {
                fs::write(&part, text).map_err(io("writing", &part))?;
                fs::rename(&part, &path).map_err(io("writing", &path))?;
            }
        }
    }
    Ok(mark.exists())
}

/// Writes a file that only its owner can read.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), RuntimeError> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io("making", parent))?;
    }
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(true).write(true).mode(0o600);
    let mut file = options.open(path).map_err(io("writing", path))?;
    file.write_all(text.as_bytes()).map_err(io("writing", path))
}

/// Brings the database to where the workspace wants it, in one unit.
async fn set_up(
    store: &Store,
    workspace: &Workspace,
    allow_data_loss: bool,
    is_sample: bool,
) -> Result<OrgRow, RuntimeError> {
    let now = store.clock().micros();
    let mut unit = store.unit().await?;
    // This process is the only server of an embedded database: it holds the lock.
    runs::free_all(&mut unit).await?;
    let existing = people::orgs(&mut unit).await?.into_iter().next();
    let is_new = existing.is_none();
    let org = match existing {
        Some(org) => org,
        None => {
            let org = OrgRow {
                id: OrgId::mint(),
                slug: "main".to_owned(),
                name: "Sample shop".to_owned(),
            };
            people::insert_org(&mut unit, &org, now).await?;
            for user in first_users(org.id, is_sample) {
                people::insert_user(&mut unit, &user, now).await?;
            }
            org
        }
    };
    let steps = records::migrate(&mut unit, &org.slug, &workspace.catalog, allow_data_loss).await;
    let steps = steps.map_err(|error| RuntimeError::Models(error.to_string()))?;
    for step in steps {
        tracing::info!(%step, "data model migrated");
    }
    if is_new && is_sample {
        fill_sample(store, &mut unit, &org, workspace).await?;
    }
    unit.commit().await?;
    Ok(org)
}

/// Who is there at first: an administrator, and in the sample shop a manager and two sales people.
fn first_users(org: OrgId, is_sample: bool) -> Vec<UserRow> {
    let user = |email: &str, name: &str, roles: &[&str]| UserRow {
        org,
        id: UserId::mint(),
        email: email.to_owned(),
        name: name.to_owned(),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        attributes: serde_json::Map::new(),
        disabled: false,
    };
    let mut users = vec![user("admin@shop.test", "Ada Admin", &["admin"])];
    if is_sample {
        users.push(user("mona@shop.test", "Mona Manager", &["manager"]));
        users.push(user("sam@shop.test", "Sam Sales", &["sales"]));
        users.push(user("sue@shop.test", "Sue Sales", &["sales"]));
    }
    users
}

async fn fill_sample(
    store: &Store,
    unit: &mut toolcrib_data::Unit,
    org: &OrgRow,
    workspace: &Workspace,
) -> Result<(), RuntimeError> {
    let today = jiff::tz::Offset::UTC
        .to_datetime(store.clock().now())
        .date();
    let users = people::users(unit, org.id).await?;
    let sales: Vec<(UserId, String)> = users
        .into_iter()
        .filter(|user| user.roles.iter().any(|role| role == "sales"))
        .map(|user| (user.id, user.email))
        .collect();
    let filled = records::sample::fill(
        unit,
        &org.slug,
        &workspace.catalog,
        20_261_130,
        today,
        &sales,
    )
    .await;
    let counts = filled.map_err(|error| RuntimeError::Models(error.to_string()))?;
    tracing::info!(?counts, "the sample shop is filled");
    Ok(())
}
