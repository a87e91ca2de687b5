use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use toolcrib::ToolResult;
use toolcrib::id::{CallId, CredentialId, OrgId, UserId};
use toolcrib_counter::{
    AgentScope, CallContext, CallMode, CallOutcome, CallRequest, Counter, CounterError,
    CounterOptions, Credential, DecideError, Decision, DecisionKind, GrantKind, Level, Principal,
    Refusal, Registry, SystemTool, Work,
};
use toolcrib_data::platform::approvals::ApprovalRow;
use toolcrib_data::platform::calls::{self, CallEvent, CallRow, Via};
use toolcrib_data::platform::people::{self, CredentialKind, OrgRow};
use toolcrib_data::platform::settings;
use toolcrib_data::{Clock, ConnectionConfig, ConnectionUrl, Connections, Store, StoreOptions};

/// The connection that a tool writes to.
pub(crate) const CONNECTION: &str = "other";

/// A counter with test tools, and somebody to call them.
pub(crate) struct Desk {
    pub(crate) counter: Counter,
    pub(crate) principal: Principal,
    pub(crate) runs: Arc<AtomicUsize>,
    pub(crate) connections: Connections,
    dir: TempDir,
}

/// What the test tool does.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    Answers,
    Fails,
    WritesThenFails,
    Writes,
    Panics,
    Hangs,
    RefusesUser,
    CantBeUndone,
    RunsInTheBrowser,
    /// Takes so many milliseconds.
    Takes(u64),
    /// Meets somebody else's work so many times.
    Conflicts(usize),
    /// Writes, unless it is about the word `secret`, to which nobody has a right.
    WritesWhatIsOpen,
}

pub(crate) struct TestTool {
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    pub(crate) outside: bool,
    pub(crate) does: Does,
    pub(crate) runs: Arc<AtomicUsize>,
    pub(crate) connection: Option<&'static str>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// Any word.
    #[serde(default)]
    word: String,
}

impl SystemTool for TestTool {
    type Input = Input;

    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        "A tool for tests"
    }

    fn description(&self) -> &'static str {
        "Does what the test wants."
    }

    fn kind(&self) -> &'static str {
        match self.does {
            Does::RunsInTheBrowser => "client",
            _ => "system",
        }
    }

    fn level(&self) -> Level {
        self.level
    }

    fn runs_outside_transaction(&self) -> bool {
        self.outside
    }

    fn undone_by_rollback(&self) -> bool {
        !matches!(self.does, Does::CantBeUndone)
    }

    fn connection(&self, _: &Input) -> Option<String> {
        self.connection.map(str::to_owned)
    }

    fn refusal(&self, _: &Principal) -> Option<Refusal> {
        matches!(self.does, Does::RefusesUser).then(|| Refusal::new("Not for you."))
    }

    fn check_rights(
        &self,
        _: &Principal,
        _: Option<&AgentScope>,
        input: &Input,
    ) -> Result<(), Refusal> {
        match (self.does, input.word.as_str()) {
            (Does::WritesWhatIsOpen, "secret") => Err(Refusal::new("Not yours.")),
            _ => Ok(()),
        }
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &Input) -> ToolResult {
        let earlier = self.runs.fetch_add(1, Ordering::SeqCst);
        if let (Does::Conflicts(times), Work::Write(unit)) = (self.does, &mut context.work)
            && earlier < times
        {
            unit.note_conflict();
            return ToolResult::failure("somebody else was there");
        }
        if let (Does::Writes | Does::WritesThenFails | Does::WritesWhatIsOpen, Work::Write(unit)) =
            (self.does, &mut context.work)
        {
            let org = context.principal.org;
            settings::set(unit, org, "written", &json!(input.word), None, 0)
                .await
                .unwrap();
        }
        match self.does {
            Does::Fails | Does::WritesThenFails => ToolResult::failure("It did not work."),
            Does::Panics => std::panic::resume_unwind(Box::new("on purpose")),
            Does::Hangs => {
                tokio::time::sleep(Duration::from_secs(3600)).await;
                ToolResult::success("late")
            }
            Does::Takes(millis) => {
                tokio::time::sleep(Duration::from_millis(millis)).await;
                ToolResult::success("done")
            }
            Does::Answers
            | Does::Writes
            | Does::WritesWhatIsOpen
            | Does::RefusesUser
            | Does::CantBeUndone
            | Does::Conflicts(_)
            | Does::RunsInTheBrowser => ToolResult::success(json!({"word": input.word})),
        }
    }
}

impl Desk {
    pub(crate) async fn with(level: Level, outside: bool, does: Does) -> Self {
        let options = CounterOptions {
            tool_timeout: Duration::from_millis(100),
            ..CounterOptions::default()
        };
        Self::with_options(level, outside, does, options).await
    }

    /// A tool that writes to a connection, which keeps marks or does not.
    pub(crate) async fn on_connection(does: Does, marker: bool) -> Self {
        let mut desk = Self::with(Level::Write, false, does).await;
        let path = desk.dir.path().join("other.db");
        std::fs::write(&path, "").unwrap();
        let url = ConnectionUrl::parse(format!("sqlite:{}", path.display())).unwrap();
        let config = ConnectionConfig {
            marker,
            ..ConnectionConfig::new(CONNECTION, url)
        };
        let mut registry = Registry::new(desk.principal.org);
        registry.add(TestTool {
            name: "tool",
            level: Level::Write,
            outside: false,
            does,
            runs: Arc::clone(&desk.runs),
            connection: Some(CONNECTION),
        });
        let store = desk.counter.store().clone();
        registry.load(&store).await.unwrap();
        let options = CounterOptions {
            tool_timeout: Duration::from_millis(500),
            ..CounterOptions::default()
        };
        desk.connections = Connections::new([config]).unwrap();
        desk.counter = Counter::new(store, Arc::new(registry), options)
            .with_connections(desk.connections.clone());
        desk.without_asking().await
    }

    pub(crate) async fn with_options(
        level: Level,
        outside: bool,
        does: Does,
        options: CounterOptions,
    ) -> Self {
        let runs = Arc::new(AtomicUsize::new(0));
        let tool = TestTool {
            name: "tool",
            level,
            outside,
            does,
            runs: Arc::clone(&runs),
            connection: None,
        };
        let desk = Self::holding(options, Clock::system(), |registry, _| registry.add(tool)).await;
        Self { runs, ..desk }
    }

    /// A desk with the tools that `add` puts on it.
    pub(crate) async fn holding(
        options: CounterOptions,
        clock: Clock,
        add: impl FnOnce(&mut Registry, &Store),
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store_options = StoreOptions {
            clock,
            ..StoreOptions::new(dir.path().join("test.db"))
        };
        let store = Store::open(store_options).await.unwrap();
        let org = OrgRow {
            id: OrgId::mint(),
            slug: "main".to_owned(),
            name: "Test".to_owned(),
        };
        let mut unit = store.unit().await.unwrap();
        people::insert_org(&mut unit, &org, 0).await.unwrap();
        unit.commit().await.unwrap();
        let mut registry = Registry::new(org.id);
        add(&mut registry, &store);
        registry.load(&store).await.unwrap();
        let counter = Counter::new(store, Arc::new(registry), options);
        Self {
            counter,
            principal: principal(org.id, &["admin"]),
            runs: Arc::default(),
            connections: Connections::default(),
            dir,
        }
    }

    /// The call as it is stored, and what happened to it.
    pub(crate) async fn stored(&self, id: CallId) -> Option<(CallRow, Vec<CallEvent>)> {
        let mut snapshot = self.counter.store().snapshot().await.unwrap();
        let org = self.principal.org;
        let row = calls::get(&mut snapshot, org, id).await.unwrap()?;
        let events = calls::events(&mut snapshot, org, id).await.unwrap();
        Some((row, events))
    }

    /// Decides as the one who asked.
    pub(crate) async fn decide(
        &self,
        kind: DecisionKind,
        approval: &ApprovalRow,
    ) -> Result<(ApprovalRow, CallRow), DecideError> {
        let decision = Decision {
            kind,
            reason: Some("as I say".to_owned()),
            arguments_hash: approval.arguments_hash.clone(),
            arguments: None,
            grant: GrantKind::Once,
        };
        self.counter
            .decide(&self.principal, approval.id, &decision)
            .await
    }

    /// Goes on with a stored call.
    pub(crate) async fn resume(&self, id: CallId) -> Result<CallOutcome, CounterError> {
        let cancel = CancellationToken::new();
        self.counter.resume(&self.principal, id, None, cancel).await
    }

    pub(crate) async fn call(&self, arguments: &str) -> CallOutcome {
        self.call_cancelled(arguments, CancellationToken::new())
            .await
    }

    pub(crate) async fn call_cancelled(
        &self,
        arguments: &str,
        cancel: CancellationToken,
    ) -> CallOutcome {
        self.counter
            .call(self.request(arguments, CallMode::Real, cancel))
            .await
            .unwrap()
    }

    /// Tries a call.
    pub(crate) async fn attempt(&self, arguments: &str) -> CallOutcome {
        let request = self.request(arguments, CallMode::Trial, CancellationToken::new());
        self.counter.call(request).await.unwrap()
    }

    fn request<'a>(
        &'a self,
        arguments: &'a str,
        mode: CallMode,
        cancel: CancellationToken,
    ) -> CallRequest<'a> {
        CallRequest {
            principal: &self.principal,
            tool: "tool",
            arguments,
            via: Via::Api,
            conversation: None,
            mode,
            idempotency_key: None,
            cancel,
        }
    }

    /// Lets write tools run without asking.
    pub(crate) async fn without_asking(self) -> Self {
        let change = toolcrib_counter::ToolChange {
            requires_approval: Some(false),
            ..Default::default()
        };
        self.counter
            .registry()
            .save(self.counter.store(), &self.principal, "tool", 1, &change)
            .await
            .unwrap();
        self
    }

    pub(crate) async fn written(&self) -> Option<serde_json::Value> {
        let mut snapshot = self.counter.store().snapshot().await.unwrap();
        settings::get(&mut snapshot, self.principal.org, "written")
            .await
            .unwrap()
    }

    /// Where its files are.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.dir.path()
    }

    pub(crate) fn run_count(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }
}

pub(crate) fn principal(org: OrgId, roles: &[&str]) -> Principal {
    Principal {
        org,
        user: UserId::mint(),
        email: "somebody@test".to_owned(),
        name: "Somebody".to_owned(),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        attributes: Map::new(),
        credential: Some(Credential {
            id: CredentialId::mint(),
            kind: CredentialKind::Session,
            attended: true,
            scopes: std::collections::BTreeSet::new(),
        }),
    }
}
