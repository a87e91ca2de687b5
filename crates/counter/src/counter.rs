use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::SignedDuration;
use toolcrib_data::{Connections, Snapshot, Store, StoreError, Unit};

use crate::subscribers::Nobody;
use crate::{AgentScope, Registry, Subscribers};

/// Limits of the counter.
#[derive(Clone, Debug)]
pub struct CounterOptions {
    /// How long a tool may take.
    pub tool_timeout: Duration,
    /// How long a hook may take.
    pub hook_timeout: Duration,
    /// How long a trial may keep others from writing.
    pub trial_limit: Duration,
    /// How long an approval can be decided.
    pub approval_lifetime: SignedDuration,
    /// How long a large result is kept.
    pub handle_lifetime: SignedDuration,
    /// The largest result that a model gets whole, in bytes of text.
    pub largest_result: usize,
}

impl Default for CounterOptions {
    fn default() -> Self {
        Self {
            tool_timeout: Duration::from_secs(30),
            hook_timeout: Duration::from_secs(5),
            trial_limit: Duration::from_secs(2),
            approval_lifetime: SignedDuration::from_hours(24),
            handle_lifetime: SignedDuration::from_hours(24 * 7),
            largest_result: 32 * 1024,
        }
    }
}

/// The one place where calls are checked, approved, run and written down.
#[derive(Clone, Debug)]
pub struct Counter {
    pub(crate) store: Store,
    pub(crate) registry: Arc<Registry>,
    pub(crate) options: Arc<CounterOptions>,
    pub(crate) connections: Connections,
    pub(crate) subscribers: Arc<dyn Subscribers>,
    agents: Arc<RwLock<BTreeMap<String, AgentScope>>>,
}

impl Counter {
    /// A counter over a store and a loaded registry.
    #[must_use]
    pub fn new(store: Store, registry: Arc<Registry>, options: CounterOptions) -> Self {
        Self {
            store,
            registry,
            options: Arc::new(options),
            connections: Connections::default(),
            subscribers: Arc::new(Nobody),
            agents: Arc::default(),
        }
    }

    /// Takes along the connections that data models are on, beside the platform's own database.
    #[must_use]
    pub fn with_connections(mut self, connections: Connections) -> Self {
        self.connections = connections;
        self
    }

    /// Takes along who is told of calls, and asked before them.
    #[must_use]
    pub fn with_subscribers(mut self, subscribers: Arc<dyn Subscribers>) -> Self {
        self.subscribers = subscribers;
        self
    }

    /// A view of a connection's database, or of the platform's own.
    pub(crate) async fn snapshot_on(&self, place: Option<&str>) -> Result<Snapshot, StoreError> {
        match place {
            Some(name) => self.connections.snapshot(name).await,
            None => self.store.snapshot().await,
        }
    }

    /// A unit on a connection's database, or on the platform's own.
    pub(crate) async fn unit_on(&self, place: Option<&str>) -> Result<Unit, StoreError> {
        match place {
            Some(name) => self.connections.unit(name, self.store.clock()).await,
            None => self.store.unit().await,
        }
    }

    /// Whether a connection keeps marks of what was written.
    pub(crate) fn keeps_marks(&self, connection: &str) -> bool {
        let config = self.connections.config(connection);
        config.is_some_and(|config| config.marker)
    }

    /// The tools.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The storage beneath.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Says what each agent lends to its calls.
    pub fn set_agents(&self, agents: impl IntoIterator<Item = AgentScope>) {
        let agents = agents
            .into_iter()
            .map(|agent| (agent.name.clone(), agent))
            .collect();
        *self.agents.write().unwrap_or_else(PoisonError::into_inner) = agents;
    }

    /// What an agent lends to its calls. An agent that is gone lends nothing at all.
    #[must_use]
    pub fn agent(&self, name: &str) -> AgentScope {
        let agents = self.agents.read().unwrap_or_else(PoisonError::into_inner);
        agents.get(name).cloned().unwrap_or_else(|| AgentScope {
            name: name.to_owned(),
            ..AgentScope::default()
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.store.clock().micros()
    }
}
