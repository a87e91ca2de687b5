//! The registry.

pub(crate) mod call;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod update;
pub(crate) mod versions;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolcrib_counter::{Principal, RegisteredTool};
use toolcrib_data::StoreError;
use toolcrib_data::platform::calls::{self, ToolStats};
use toolcrib_data::platform::tools::{Audience, ToolSettings};
use toolcrib_runtime::Runtime;
use utoipa::ToSchema;

use crate::error::{ApiError, Code};

const WEEK: i64 = 7 * 24 * 3600 * 1_000_000;

/// A tool.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool {
    /// The name that models call.
    name: String,
    /// The name for people.
    title: String,
    /// What it does and returns.
    description: String,
    /// The kind.
    kind: String,
    /// `read_only`, `write` or `destructive`.
    level: String,
    /// Whether a person is asked before each call.
    requires_approval: bool,
    /// Whether it can be used at all.
    enabled: bool,
    /// Whether the composer offers it.
    composer: bool,
    /// The roles that may call it; empty for all.
    roles: Vec<String>,
    /// Who may use it without an agent; null for those who may edit it.
    audience: Option<Sharing>,
    /// What else an editor said of it.
    #[schema(value_type = Object)]
    settings: ToolSettings,
    /// The file of the workspace that says all this, where one does; it is changed there alone.
    file: Option<String>,
    /// The version.
    version: i64,
    /// The element that brought it.
    source: Option<String>,
    /// JSON Schema of its arguments.
    #[schema(value_type = Object)]
    input_schema: Value,
    /// Whether the reader may change its row.
    may_edit: bool,
    /// How it was used lately.
    stats: Stats,
    /// The agents that link it.
    agents: Vec<String>,
}

/// With whom a tool is shared.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Sharing {
    /// Everybody in the organisation.
    everyone: bool,
    /// These users, by id.
    users: Vec<String>,
    /// Users with one of these roles.
    roles: Vec<String>,
}

impl Sharing {
    fn of(audience: &Audience) -> Self {
        Self {
            everyone: audience.everyone,
            users: audience.users.iter().map(ToString::to_string).collect(),
            roles: audience.roles.clone(),
        }
    }

    fn audience(self) -> Result<Audience, ApiError> {
        let users: Result<_, _> = self.users.iter().map(|id| id.parse()).collect();
        Ok(Audience {
            everyone: self.everyone,
            users: users
                .map_err(|_| ApiError::new(Code::InvalidRequest, "users are the ids of users."))?,
            roles: self.roles,
        })
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Stats {
    /// Calls in the last seven days.
    calls7d: i64,
    /// How long one typically took, in milliseconds.
    p50_ms: Option<f64>,
    /// The share of calls that did not do what was asked.
    error_rate: Option<f64>,
}

/// How all tools were used lately.
pub(crate) async fn stats(
    runtime: &Runtime,
    principal: &Principal,
) -> Result<Vec<ToolStats>, StoreError> {
    let store = runtime.store();
    calls::stats(
        &mut store.snapshot().await?,
        principal.org,
        store.clock().micros() - WEEK,
    )
    .await
}

impl Tool {
    pub(crate) fn new(
        runtime: &Runtime,
        principal: &Principal,
        tool: &RegisteredTool,
        stats: &[ToolStats],
    ) -> Self {
        let row = &tool.row;
        let stats = stats.iter().find(|stats| stats.tool == row.name);
        let workspace = runtime.workspace();
        let agents = workspace.agents.values();
        let agents = agents.filter(|agent| agent.links.iter().any(|link| link.name == row.name));
        Self {
            name: row.name.clone(),
            title: row.title.clone(),
            description: row.description.clone(),
            kind: row.kind.clone(),
            level: tool.level().name().to_owned(),
            requires_approval: tool.asks(),
            enabled: row.enabled,
            composer: row.composer,
            roles: row.roles.clone(),
            audience: row.audience.as_ref().map(Sharing::of),
            settings: row.settings.clone(),
            file: tool.file.clone().filter(|_| principal.may_edit()),
            version: row.version,
            source: row.source.clone(),
            input_schema: tool.input_schema().clone(),
            may_edit: principal.may_edit(),
            stats: Stats {
                calls7d: stats.map_or(0, |stats| stats.calls),
                p50_ms: stats
                    .and_then(|stats| stats.typical_micros)
                    .map(milliseconds),
                error_rate: stats
                    .filter(|stats| stats.calls > 0)
                    .map(|stats| share(stats.failed, stats.calls)),
            },
            agents: agents.map(|agent| agent.name.clone()).collect(),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "durations and counts are far below 2^52"
)]
fn milliseconds(micros: i64) -> f64 {
    micros as f64 / 1000.0
}

#[expect(
    clippy::cast_precision_loss,
    reason = "durations and counts are far below 2^52"
)]
fn share(part: i64, whole: i64) -> f64 {
    part as f64 / whole as f64
}
