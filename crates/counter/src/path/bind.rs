//! Stage 8 for tools of all data models: a function that has a row of its own asks by that row as
//! well, whatever tool it is done by. Its switch and its roles bind where the records are.

use std::sync::Arc;

use super::passage::Passage;
use crate::RegisteredTool;
use crate::tool::erased::PreparedCall;

/// Whether a call waits for a person: its own row says so, or that of the function which it is.
pub(super) fn asks(passage: &Passage<'_>, tool: &RegisteredTool, call: &dyn PreparedCall) -> bool {
    tool.asks() || row(passage, call).is_some_and(|row| row.asks())
}

fn row(passage: &Passage<'_>, call: &dyn PreparedCall) -> Option<Arc<RegisteredTool>> {
    let (model, function) = call.function()?;
    passage.counter.registry.function(&model, function)
}
