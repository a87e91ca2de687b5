//! Agents.

pub(crate) mod chat;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod trial;

use serde::Serialize;
use toolcrib_counter::Principal;
use toolcrib_runtime::{Agent, Runtime};
use utoipa::ToSchema;

/// An agent, as its users see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentView {
    /// The name.
    name: String,
    /// The name for people.
    title: String,
    /// What it is for.
    description: String,
    /// The language model that it uses.
    model: Option<String>,
    /// The tools that it offers to this user.
    tools: Vec<AgentTool>,
    /// First messages to offer.
    suggestions: Vec<String>,
}

/// A tool of an agent.
#[derive(Serialize, ToSchema)]
struct AgentTool {
    /// The name that models call.
    name: String,
    /// The name for people.
    title: String,
    /// Whether the composer offers it.
    composer: bool,
    /// The safety level.
    level: String,
}

impl AgentView {
    fn new(runtime: &Runtime, principal: &Principal, agent: &Agent) -> Self {
        let tools = runtime
            .counter()
            .registry()
            .offered(principal, Some(&agent.scope()));
        Self {
            name: agent.name.clone(),
            title: agent.title.clone(),
            description: agent.description.clone(),
            model: agent
                .model
                .clone()
                .or_else(|| runtime.models().status().model),
            tools: tools
                .iter()
                .map(|tool| AgentTool {
                    name: tool.row.name.clone(),
                    title: tool.row.title.clone(),
                    composer: tool.row.composer,
                    level: tool.level().name().to_owned(),
                })
                .collect(),
            suggestions: agent.suggestions.clone(),
        }
    }
}
