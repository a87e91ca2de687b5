//! Stage 3, read: argument text becomes a typed input, or every problem is told at once.

use serde_json::{Map, Value};
use toolcrib::read::{Arguments, Unreadable};

use super::passage::{Passage, Stop, Takes};
use crate::Caller;
use crate::RegisteredTool;
use crate::tool::erased::PreparedCall;

/// Arguments that were read. A tool whose hook fills some of them may not have all yet.
pub(super) struct Read(Result<Box<dyn PreparedCall>, Unreadable>);

impl Read {
    /// The call, if all is there that it needs.
    pub(super) fn so_far(&self) -> Option<&dyn PreparedCall> {
        self.0.as_deref().ok()
    }

    /// The call.
    pub(super) fn prepared(self) -> Result<Box<dyn PreparedCall>, Stop> {
        self.0
            .map_err(|unreadable| Stop::Failed(unreadable.to_string()))
    }
}

pub(super) fn read(passage: &mut Passage<'_>, tool: &RegisteredTool) -> Result<Read, Stop> {
    // What a person approved is what runs: the frozen arguments, not those asked for.
    let frozen = passage
        .row
        .arguments
        .clone()
        .filter(|_| passage.is_approved());
    let text = frozen
        .clone()
        .unwrap_or_else(|| passage.row.arguments_asked.clone());
    let reader = match passage.takes() {
        Takes::Offered => &tool.offered.reader,
        Takes::All => &tool.reader,
    };
    let arguments = reader
        .read(&text)
        .map_err(|unreadable| Stop::Failed(unreadable.to_string()))?;
    if let Some(repair) = arguments.repaired {
        tracing::info!(call = %passage.row.id, ?repair, "arguments were repaired");
        passage.row.repairs = serde_json::to_string(&repair).ok();
    }
    if frozen.is_none() {
        passage.freeze(&tool.row.digest, bytes(text, &arguments));
    }
    match prepare(passage, tool, arguments.value) {
        Err(unreadable) if tool.row.settings.hooks.fills.is_empty() => {
            Err(Stop::Failed(unreadable.to_string()))
        }
        prepared => Ok(Read(prepared)),
    }
}

/// Reads what a hook made of the arguments.
pub(super) fn again(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    text: String,
    hook: &str,
) -> Result<Box<dyn PreparedCall>, Stop> {
    let unfit = |unreadable: Unreadable| {
        Stop::Failed(format!(
            "Not run: the hook `{hook}` made arguments that the tool does not take. {unreadable}"
        ))
    };
    let arguments = tool.reader.read(&text).map_err(unfit)?;
    passage.freeze(&tool.row.digest, bytes(text, &arguments));
    prepare(passage, tool, arguments.value).map_err(unfit)
}

/// The bytes that run.
fn bytes(text: String, arguments: &Arguments) -> String {
    match arguments.repaired {
        None => text,
        Some(_) => Value::Object(arguments.value.clone()).to_string(),
    }
}

fn prepare(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    arguments: Map<String, Value>,
) -> Result<Box<dyn PreparedCall>, Unreadable> {
    let call = tool.built_in.tool.prepare(arguments)?;
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
