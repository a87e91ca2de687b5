//! Stage 10, run: in one unit of its own, in a read-only view, or outside any transaction.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use toolcrib::state::CallState;
use toolcrib_data::Unit;

use super::close::{self, Ending};
use super::passage::{Passage, Stop};
use super::{find, grant, hooks, on_connection};
use crate::RegisteredTool;
use crate::tool::erased::PreparedCall;
use crate::tool::{Level, Work};

/// How a tool broke down without a word of its own.
pub(super) enum Broken {
    TimedOut,
    Cancelled,
    Panicked,
    Storage,
}

impl Broken {
    pub(super) fn text(&self) -> &'static str {
        match self {
            Self::TimedOut => "The tool did not finish in time.",
            Self::Cancelled => "Cancelled.",
            Self::Storage => "The database could not do this just now. Nothing was changed.",
            Self::Panicked => "The tool broke down. The administrator finds the cause in the log.",
        }
    }
}

pub(super) async fn run(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    if tool.built_in.tool.runs_outside_transaction() {
        grant::enter_alone(passage).await?;
        outside(passage, tool, call).await
    } else if tool.level() == Level::ReadOnly {
        reading(passage, tool, call).await
    } else if let Some(connection) = call.connection() {
        grant::enter_alone(passage).await?;
        on_connection::run(passage, (tool, call), &connection).await
    } else {
        in_unit(passage, tool, call).await
    }
}

async fn reading(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    passage.row.started_at = Some(passage.counter.now());
    let connection = call.connection();
    let mut snapshot = match passage.counter.snapshot_on(connection.as_deref()).await {
        Ok(snapshot) => snapshot,
        Err(error) if connection.is_some() => {
            return Err(Stop::Failed(on_connection::out_of_reach(&error)));
        }
        Err(error) => return Err(error.into()),
    };
    let mut context = passage.running(Work::Read(&mut snapshot));
    let result = guarded(passage, call.run(&mut context)).await;
    drop(snapshot);
    let ending = hooks::ending(passage, tool, result);
    close::alone(passage, ending).await?;
    Ok(())
}

/// The write, its result and the closing event commit together; there is no moment at which one
/// is there without the others.
async fn in_unit(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    let mut unit = passage.counter.store.unit().await?;
    passage.row.started_at = Some(passage.counter.now());
    close::check_lease_now(passage, &mut unit).await?;
    let checked = match grant::enter(passage, &mut unit).await {
        Ok(()) => check_again(passage, &mut unit, call).await,
        stopped => stopped,
    };
    let ending = match checked {
        Err(Stop::Refused(reason)) => Ending::refused(reason),
        Err(other) => return Err(other),
        Ok(()) => {
            let mut context = passage.running(Work::Write(&mut unit));
            let result = guarded(passage, call.run(&mut context)).await;
            hooks::ending(passage, tool, result)
        }
    };
    if ending.did_it() {
        close::in_unit(passage, &mut unit, ending).await?;
        unit.commit().await?;
    } else {
        // What it wrote goes with the unit. Its ending is about nothing else that is stored.
        drop(unit);
        close::alone(passage, ending).await?;
    }
    Ok(())
}

/// Between the decision and the run the world may have moved on: offer, rights and the records
/// that the card showed are looked at again, under the lock of this unit.
pub(super) async fn check_again(
    passage: &mut Passage<'_>,
    unit: &mut Unit,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    if !passage.is_approved() {
        return Ok(());
    }
    find::find(passage)?;
    call.check_rights(passage.principal, passage.agent.as_ref())
        .map_err(|refusal| Stop::Refused(refusal.reason))?;
    let fingerprint = passage
        .approval
        .as_ref()
        .and_then(|approval| approval.fingerprint.clone());
    let Some(fingerprint) = fingerprint else {
        return Ok(());
    };
    let mut context = passage.context(Work::Write(unit));
    match guarded(passage, call.check_unchanged(&mut context, &fingerprint)).await {
        Ok(unchanged) => unchanged.map_err(|refusal| Stop::Refused(refusal.reason)),
        Err(broken) => Err(Stop::Refused(broken.text().to_owned())),
    }
}

/// The intent is stored first: a crash in between leaves a call that is known to be in doubt.
async fn outside(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    let now = passage.counter.now();
    passage.row.started_at = Some(now);
    let mut unit = passage.counter.store.unit().await?;
    close::enter(passage, &mut unit, CallState::Running, None).await?;
    unit.commit().await?;
    let mut context = passage.running(Work::Outside);
    let result = guarded(passage, call.run(&mut context)).await;
    let may_have_happened = tool.level() != Level::ReadOnly
        && matches!(result, Err(Broken::TimedOut | Broken::Cancelled));
    let ending = if may_have_happened {
        Ending::unknown()
    } else {
        hooks::ending(passage, tool, result)
    };
    close::alone(passage, ending).await?;
    Ok(())
}

/// Runs a tool's own code with everything that may go wrong in it caught: time, stop, panic.
pub(super) async fn guarded<T>(
    passage: &Passage<'_>,
    work: impl Future<Output = T>,
) -> Result<T, Broken> {
    let usual = passage.counter.options.tool_timeout;
    let timeout = passage.timeout.unwrap_or(usual);
    tokio::select! {
        biased;
        () = passage.cancel.cancelled() => Err(Broken::Cancelled),
        done = tokio::time::timeout(timeout, AssertUnwindSafe(work).catch_unwind()) => match done {
            Err(_) => Err(Broken::TimedOut),
            Ok(Err(_)) => {
                tracing::error!(call = %passage.row.id, tool = passage.row.tool, "a tool panicked");
                Err(Broken::Panicked)
            }
            Ok(Ok(value)) => Ok(value),
        },
    }
}
