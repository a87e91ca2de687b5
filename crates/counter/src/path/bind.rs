//! Stage 8 for tools of all data models: a function that has a row of its own asks by that row as
//! well, whatever tool it is done by. Its switch and its roles bind where the records are.

use std::sync::Arc;

use toolcrib_data::platform::tools::{ApprovalTerms, ToolEvents};

use super::passage::Passage;
use crate::tool::erased::PreparedCall;
use crate::{RegisteredTool, Registry};

/// Whether a call waits for a person: its own row says so, or that of the function which it is.
pub(super) fn asks(passage: &Passage<'_>, tool: &RegisteredTool, call: &dyn PreparedCall) -> bool {
    tool.asks() || row(passage, call).is_some_and(|row| row.asks())
}

/// How a call is decided on: by the terms of every row that asks for it.
pub(super) fn terms(
    passage: &Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> ApprovalTerms {
    let own = &tool.row.settings.approval;
    match row(passage, call).filter(|row| row.asks() && row.row.name != tool.row.name) {
        None => own.clone(),
        Some(row) if tool.asks() => {
            let usual = passage.counter.options.approval_lifetime;
            let usual = u32::try_from(usual.as_secs()).unwrap_or(u32::MAX);
            own.and(&row.row.settings.approval, usual)
        }
        Some(row) => row.row.settings.approval.clone(),
    }
}

/// The events that a call gives, and the tools that it is a call of: its own, and the function which
/// it is.
pub(crate) fn events(
    registry: &Registry,
    tool: &RegisteredTool,
    call: Option<&dyn PreparedCall>,
) -> (ToolEvents, Vec<String>) {
    let mut events = tool.row.settings.events;
    let mut tools = vec![tool.row.name.clone()];
    let function = call.and_then(PreparedCall::function);
    let function = function.and_then(|(model, function)| registry.function(&model, function));
    if let Some(row) = function.filter(|row| row.row.name != tool.row.name) {
        events = events.or(row.row.settings.events);
        tools.push(row.row.name.clone());
    }
    (events, tools)
}

/// The version of a tool that a decision for later calls is of: its own, and that of the function's row
/// which binds it.
pub(super) fn digest(
    passage: &Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> String {
    joined(&tool.row.digest, row(passage, call).as_deref())
}

/// The same of a stored call, whose tool was at this digest.
pub(crate) fn digest_of(registry: &Registry, digest: &str, call: &dyn PreparedCall) -> String {
    let row = call
        .function()
        .and_then(|(model, function)| registry.function(&model, function));
    joined(digest, row.as_deref())
}

fn joined(digest: &str, row: Option<&RegisteredTool>) -> String {
    match row {
        Some(row) => format!("{digest}+{}", row.row.digest),
        None => digest.to_owned(),
    }
}

/// What of a tool a decision for later calls covers: the function of a data model, else the tool.
pub(crate) fn scope(call: &dyn PreparedCall) -> String {
    call.function()
        .map(|(model, function)| format!("{model}:{function}"))
        .unwrap_or_default()
}

fn row(passage: &Passage<'_>, call: &dyn PreparedCall) -> Option<Arc<RegisteredTool>> {
    let (model, function) = call.function()?;
    passage.counter.registry.function(&model, function)
}
