//! Stages 5 and 11, hooks: code of the program that may change the arguments before a call, and the result
//! after it.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicU32;

use futures_util::FutureExt as _;
use serde_json::{Map, Value};
use toolcrib::ToolResult;
use toolcrib::state::CallState;
use toolcrib_data::platform::tools::HookUse;

use super::close::{self, Ending};
use super::measure::{self, stored_output};
use super::passage::{Passage, Stop};
use super::{events, read};
use crate::RegisteredTool;
use crate::hooks::{HookMoment, HookNote, HookOutcome, HookTools, Hooked};
use crate::tool::erased::PreparedCall;

/// The largest arguments or output that a hook may give back, in bytes.
const LARGEST: usize = 128 * 1024;
/// The longest reason that is kept of a hook that failed, in characters.
const LONGEST_REASON: usize = 500;

/// What is told of a call that has run and whose result its hook never saw.
pub(crate) const UNSEEN: &str = "The tool did its work, and what it did stays. Its result is not told: it was stopped before the hook after it had looked at it.";

/// Why a hook that has to succeed stops its call.
struct Failed;

/// Whether hooks are asked about this call at all: a trial leaves them out, and a hook's own calls have none.
fn has_hooks(passage: &Passage<'_>) -> bool {
    passage.row.trial.is_none() && !passage.is_of_hook()
}

/// Stage 5: a hook may change the arguments, which are read again. A call that was decided on had its hook.
pub(super) async fn before(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: read::Read,
) -> Result<Box<dyn PreparedCall>, Stop> {
    let uses = tool.row.settings.hooks.before.clone();
    let fills = &tool.row.settings.hooks.fills;
    if passage.row.trial.is_some() && !fills.is_empty() {
        return Err(Stop::Refused(
            "Not tried: a hook fills some of what this tool takes, and a trial asks no hook. Nothing was changed."
                .to_owned(),
        ));
    }
    let Some(uses) = uses.filter(|_| has_hooks(passage) && !passage.is_approved()) else {
        return call.prepared();
    };
    let arguments = passage.row.arguments.as_deref().unwrap_or_default();
    let arguments: Map<String, Value> = serde_json::from_str(arguments).unwrap_or_default();
    let given = arguments.clone();
    let asked = {
        let (hook, of) = (passage.counter.registry.hook(&uses.name), hooked(passage));
        // What panics before it is waited for, panics in there too.
        let asked = hook
            .as_ref()
            .map(|hook| async move { hook.before(of, given).await });
        ask(passage, asked).await?
    };
    let changed = settle(passage, &uses, HookMoment::Before, asked, |changed| {
        *changed != arguments
    });
    match changed {
        Ok(Some(changed)) => {
            let text = Value::Object(changed).to_string();
            read::again(passage, tool, text, &uses.name)
        }
        Ok(None) => call.prepared(),
        Err(Failed) => Err(Stop::Failed(format!(
            "Not run: the hook `{}`, which has to succeed, failed.",
            uses.name
        ))),
    }
}

/// What a tool's answer comes to: with a hook after it, the call has run and is not at its end yet.
pub(super) fn ending(
    passage: &Passage<'_>,
    tool: &RegisteredTool,
    result: Result<ToolResult, super::run::Broken>,
) -> Ending {
    match result {
        Ok(ToolResult::Success { output, shown })
            if tool.row.settings.hooks.after.is_some() && has_hooks(passage) =>
        {
            Ending::ran(measure::stored(&output), shown)
        }
        result => measure::measure(passage, result),
    }
}

/// Stage 11, for a call that has run: a hook may change its output.
pub(super) async fn after(passage: &mut Passage<'_>, tool: &RegisteredTool) -> Result<(), Stop> {
    if passage.row.state != CallState::Ran {
        return Ok(());
    }
    let raw = stored_output(passage.row.result.as_deref().unwrap_or_default());
    let uses = tool.row.settings.hooks.after.clone();
    let Some(uses) = uses.filter(|_| has_hooks(passage)) else {
        return end(passage, raw).await;
    };
    let asked = {
        let (hook, of) = (passage.counter.registry.hook(&uses.name), hooked(passage));
        let tools = HookTools {
            counter: passage.counter,
            of,
            hook: &uses.name,
            via: passage.row.via,
            cancel: &passage.cancel,
            made: AtomicU32::new(0),
        };
        let given = raw.clone();
        let asked = hook
            .as_ref()
            .map(|hook| async move { hook.after(of, given, tools).await });
        match ask(passage, asked).await {
            // It has run: a stop takes nothing back.
            Err(Stop::Cancelled) => Err("the call was stopped".to_owned()),
            asked => asked?,
        }
    };
    let changed = settle(passage, &uses, HookMoment::After, asked, |changed| {
        *changed != raw
    });
    match changed {
        Ok(Some(changed)) => {
            let ending = measured(passage, changed).made_by_hook();
            close::alone(passage, ending).await?;
            Ok(())
        }
        Ok(None) => end(passage, raw).await,
        Err(Failed) => {
            let reason = format!(
                "The tool did its work, and what it did stays. Its result is not told, since the hook `{}`, which has to succeed, failed.",
                uses.name
            );
            close::alone(passage, Ending::failed(reason)).await?;
            Ok(())
        }
    }
}

/// Goes on with a call whose server died after its tool had answered: from here, and nothing runs again.
pub(super) async fn go_on(passage: &mut Passage<'_>) -> Result<(), Stop> {
    let tags = passage.row.tags.as_deref();
    if let Some(tags) = tags.and_then(|tags| serde_json::from_str(tags).ok()) {
        passage.tags.set(tags);
    }
    let Some(tool) = passage.counter.registry.row(&passage.row.tool) else {
        // Whether its hook had to have a say, nobody knows any more.
        close::alone(passage, Ending::failed(UNSEEN.to_owned())).await?;
        return Ok(());
    };
    let call = passage.counter.prepared(&passage.row);
    events::go_on(passage, &tool, call.as_deref());
    after(passage, &tool).await
}

async fn end(passage: &mut Passage<'_>, output: Value) -> Result<(), Stop> {
    let ending = measured(passage, output);
    close::alone(passage, ending).await?;
    Ok(())
}

fn measured(passage: &Passage<'_>, output: Value) -> Ending {
    let shown = passage.row.shown;
    measure::measure(passage, Ok(ToolResult::Success { output, shown }))
}

fn hooked<'c>(passage: &'c Passage<'_>) -> Hooked<'c> {
    Hooked {
        call: passage.row.id,
        tool: &passage.row.tool,
        principal: passage.principal,
        agent: passage.agent.as_ref().map(|agent| agent.name.as_str()),
        conversation: passage.row.conversation,
    }
}

/// Asks a hook with everything that may go wrong in it caught: time, stop, panic.
async fn ask<T>(
    passage: &Passage<'_>,
    asked: Option<impl Future<Output = Result<Option<T>, String>>>,
) -> Result<Result<Option<T>, String>, Stop> {
    let Some(asked) = asked else {
        return Ok(Err("there is no hook of that name".to_owned()));
    };
    let patience = passage.counter.options.hook_timeout;
    let guarded = AssertUnwindSafe(asked).catch_unwind();
    tokio::select! {
        biased;
        () = passage.cancel.cancelled() => Err(Stop::Cancelled),
        done = tokio::time::timeout(patience, guarded) => Ok(match done {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err("it panicked".to_owned()),
            Err(_) => Err(format!("it took longer than {patience:?}")),
        }),
    }
}

/// What is made of a hook's answer; it is noted with the call.
fn settle<T: serde::Serialize>(
    passage: &mut Passage<'_>,
    uses: &HookUse,
    moment: HookMoment,
    asked: Result<Option<T>, String>,
    is_other: impl Fn(&T) -> bool,
) -> Result<Option<T>, Failed> {
    let asked = asked.and_then(|changed| match changed {
        Some(changed) if size(&changed) > LARGEST => {
            Err(format!("it gave back more than {LARGEST} bytes"))
        }
        changed => Ok(changed.filter(|changed| is_other(changed))),
    });
    let (outcome, error) = match &asked {
        Ok(Some(_)) => (HookOutcome::Changed, None),
        Ok(None) => (HookOutcome::Left, None),
        Err(error) => {
            tracing::warn!(call = %passage.row.id, hook = uses.name, ?moment, error, "a hook failed");
            let error = error.chars().take(LONGEST_REASON).collect();
            (HookOutcome::Failed, Some(error))
        }
    };
    note(
        passage,
        HookNote {
            hook: uses.name.clone(),
            moment,
            outcome,
            error,
        },
    );
    match asked {
        Ok(changed) => Ok(changed),
        Err(_) if uses.must_succeed => Err(Failed),
        Err(_) => Ok(None),
    }
}

fn size(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}

fn note(passage: &mut Passage<'_>, note: HookNote) {
    let notes = passage.row.hooks.as_deref();
    let mut notes: Vec<HookNote> = notes
        .and_then(|notes| serde_json::from_str(notes).ok())
        .unwrap_or_default();
    // Asked again after a crash, it is told of once.
    notes.retain(|other| (other.moment, &other.hook) != (note.moment, &note.hook));
    notes.push(note);
    passage.row.hooks = serde_json::to_string(&notes).ok();
}
