//! Stage 3, read: argument text becomes a typed input, or every problem is told at once.

use serde_json::Value;

use super::passage::{Passage, Stop};
use crate::Caller;
use crate::RegisteredTool;
use crate::tool::erased::PreparedCall;

pub(super) fn read(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
) -> Result<Box<dyn PreparedCall>, Stop> {
    // What a person approved is what runs: the frozen arguments, not those asked for.
    let frozen = passage
        .row
        .arguments
        .clone()
        .filter(|_| passage.is_approved());
    let text = frozen
        .clone()
        .unwrap_or_else(|| passage.row.arguments_asked.clone());
    let arguments = tool
        .reader
        .read(&text)
        .map_err(|unreadable| Stop::Failed(unreadable.to_string()))?;
    if let Some(repair) = arguments.repaired {
        tracing::info!(call = %passage.row.id, ?repair, "arguments were repaired");
        passage.row.repairs = serde_json::to_string(&repair).ok();
    }
    if frozen.is_none() {
        let bytes = match arguments.repaired {
            None => text,
            Some(_) => Value::Object(arguments.value.clone()).to_string(),
        };
        passage.freeze(&tool.row.digest, bytes);
    }
    let call = tool
        .built_in
        .tool
        .prepare(arguments.value)
        .map_err(|unreadable| Stop::Failed(unreadable.to_string()))?;
    // A decided call keeps the title that its card had.
    if !passage.is_approved() {
        let caller = Caller {
            principal: passage.principal,
            agent: passage.agent.as_ref(),
        };
        let title = call.title(caller, &tool.row.title);
        passage.row.title = title.chars().take(200).collect();
    }
    Ok(call)
}
