//! Stage 8 for tools of all data models: a function that has a row of its own asks by that row as
//! well, whatever tool it is done by. Its switch and its roles bind where the records are.

use std::sync::Arc;

use toolcrib_data::platform::tools::ApprovalTerms;

use super::passage::Passage;
use crate::RegisteredTool;
use crate::tool::erased::PreparedCall;

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
        Some(row) if tool.asks() => own.and(&row.row.settings.approval),
        Some(row) => row.row.settings.approval.clone(),
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
