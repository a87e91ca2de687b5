//! Stage 2: was the tool on the list that this caller was given? What is listed and what may run
//! are decided here, by the same function.

use std::collections::BTreeSet;

use toolcrib_data::platform::tools::ToolRow;
use toolcrib_data::records::Narrowing;

use crate::Principal;

/// What an agent lends to a call: it can only narrow what its user may do.
#[derive(Clone, Debug, Default)]
pub struct AgentScope {
    /// The agent.
    pub name: String,
    /// The tools it links, by name.
    pub tools: BTreeSet<String>,
    /// The data models and operations it keeps to.
    pub narrowing: Narrowing,
}

/// Whether a tool is offered to this caller.
pub(crate) fn is_offered(
    tool: &ToolRow,
    principal: &Principal,
    agent: Option<&AgentScope>,
) -> bool {
    is_open(tool, principal)
        && match agent {
            Some(agent) => agent.tools.contains(&tool.name) && in_audience(tool, principal, true),
            None => in_audience(tool, principal, false),
        }
}

/// Whether a tool is switched on, and for the roles of this caller: what holds for a function of a
/// data model also where another tool does it.
pub(crate) fn is_open(tool: &ToolRow, principal: &Principal) -> bool {
    tool.enabled
        && (tool.roles.is_empty() || tool.roles.iter().any(|role| principal.has_role(role)))
}

/// An unset audience is the agent's own; without an agent it means those who may edit the tool.
fn in_audience(tool: &ToolRow, principal: &Principal, through_agent: bool) -> bool {
    match &tool.audience {
        None => through_agent || principal.may_edit(),
        Some(audience) => {
            audience.everyone
                || audience.users.contains(&principal.user)
                || audience.roles.iter().any(|role| principal.has_role(role))
        }
    }
}
