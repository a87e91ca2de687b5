//! Tools that do nothing, and a counter that has them.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;
use toolcrib::ToolResult;
use toolcrib::id::{OrgId, UserId};
use toolcrib::state::CallState;
use toolcrib_counter::{
    CallContext, CallOutcome, CallRequest, Counter, CounterOptions, Level, Principal, Registry,
    SystemTool, ToolChange,
};
use toolcrib_data::platform::calls::Via;
use toolcrib_data::platform::people::UserRow;
use toolcrib_data::{Store, StoreOptions};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// Something to read.
    #[expect(dead_code, reason = "read by the counter, used by nobody")]
    id: u64,
}

struct Nothing {
    name: &'static str,
    level: Level,
}

impl SystemTool for Nothing {
    type Input = Input;

    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        "Nothing"
    }

    fn description(&self) -> &'static str {
        "Does nothing."
    }

    fn level(&self) -> Level {
        self.level
    }

    async fn run(&self, _: &mut CallContext<'_>, _: &Input) -> ToolResult {
        ToolResult::success(json!({"done": true}))
    }
}

/// A counter with tools that do nothing, and somebody who may call them.
#[derive(Clone, Debug)]
pub(crate) struct Bench {
    pub(crate) counter: Counter,
    principal: Arc<Principal>,
}

pub(crate) const READS: &str = "reads_nothing";
pub(crate) const WRITES: &str = "writes_nothing";

impl Bench {
    pub(crate) async fn new(dir: &Path) -> anyhow::Result<Self> {
        Self::with_tools(dir, 10).await
    }

    /// One with so many tools.
    pub(crate) async fn with_tools(dir: &Path, count: usize) -> anyhow::Result<Self> {
        let org = OrgId::mint();
        let store = Store::open(StoreOptions::new(dir.join("toolcrib.db"))).await?;
        let mut registry = Registry::new(org);
        registry.add(Nothing {
            name: READS,
            level: Level::ReadOnly,
        });
        registry.add(Nothing {
            name: WRITES,
            level: Level::Write,
        });
        for number in 2..count {
            registry.add(Nothing {
                // As long as the program lives, as the names of built-in tools do.
                name: Box::leak(format!("nothing_{number}").into_boxed_str()),
                level: Level::ReadOnly,
            });
        }
        registry.load(&store).await?;
        let user = UserRow {
            org,
            id: UserId::mint(),
            email: "ada@bench.test".to_owned(),
            name: "Ada".to_owned(),
            roles: vec!["admin".to_owned()],
            attributes: Map::new(),
            disabled: false,
        };
        let principal = Principal::new(user, None);
        // Without a person in between, or there would be nothing to measure.
        let change = ToolChange {
            requires_approval: Some(false),
            ..ToolChange::default()
        };
        registry
            .save(&store, &principal, WRITES, 1, &change)
            .await?;
        let counter = Counter::new(store, Arc::new(registry), CounterOptions::default());
        Ok(Self {
            counter,
            principal: Arc::new(principal),
        })
    }

    /// The organisation.
    pub(crate) fn org(&self) -> String {
        self.principal.org.to_string()
    }

    /// Calls a tool and sees that it ran.
    pub(crate) async fn call(&self, tool: &str) -> anyhow::Result<CallOutcome> {
        call(&self.counter, &self.principal, tool, r#"{"id": 7}"#).await
    }
}

/// Calls a tool and sees that it ran.
pub(crate) async fn call(
    counter: &Counter,
    principal: &Principal,
    tool: &str,
    arguments: &str,
) -> anyhow::Result<CallOutcome> {
    let outcome = counter
        .call(CallRequest {
            principal,
            tool,
            arguments,
            via: Via::Api,
            conversation: None,
            mode: toolcrib_counter::CallMode::Real,
            idempotency_key: None,
            cancel: CancellationToken::new(),
        })
        .await?;
    anyhow::ensure!(
        outcome.row.state == CallState::Succeeded,
        "{tool}: {:?}",
        outcome.row.error
    );
    Ok(outcome)
}
