//! Stage 10 on a connection of data models, which commits apart from the platform's own rows. The
//! intent is stored first; what a crash or a lost connection leaves in doubt is settled by a mark,
//! where the connection keeps marks, and is else told as unknown.

use toolcrib::state::CallState;
use toolcrib_data::{StoreError, Unit, Written};

use super::close::{self, Ending};
use super::passage::{Passage, Stop};
use super::run::{Broken, check_again, guarded};
use super::{events, hooks};
use crate::RegisteredTool;
use crate::tool::Work;
use crate::tool::erased::PreparedCall;

/// How often work is tried that the database undid for the sake of somebody else's.
const TRIES: usize = 4;

pub(super) async fn run(
    passage: &mut Passage<'_>,
    (tool, call): (&RegisteredTool, &dyn PreparedCall),
    connection: &str,
) -> Result<(), Stop> {
    passage.row.started_at = Some(passage.counter.now());
    let mut unit = passage.counter.store.unit().await?;
    let place = format!("on the connection {connection}");
    // It may still be refused; what is told of it is stored once it was not.
    let events = events::hold(passage);
    close::enter(passage, &mut unit, CallState::Running, Some(place)).await?;
    unit.commit().await?;
    passage.outgoing = events;
    let mut ending = None;
    for _ in 0..TRIES {
        ending = attempt(passage, (tool, call), connection).await?;
        if ending.is_some() {
            break;
        }
    }
    let ending = ending.unwrap_or_else(|| {
        let reason =
            "Others keep changing the same records just now. Nothing was changed; try again.";
        Ending::failed(reason.to_owned())
    });
    close::alone(passage, ending).await?;
    Ok(())
}

/// One try; nothing if the work may be tried again.
async fn attempt(
    passage: &mut Passage<'_>,
    (tool, call): (&RegisteredTool, &dyn PreparedCall),
    connection: &str,
) -> Result<Option<Ending>, Stop> {
    let counter = passage.counter;
    let mut unit = match counter.unit_on(Some(connection)).await {
        Ok(unit) => unit,
        Err(error) => return Ok(Some(Ending::failed(out_of_reach(&error)))),
    };
    match check_again(passage, &mut unit, call).await {
        Ok(()) => {}
        Err(Stop::Refused(reason)) => return Ok(Some(Ending::refused(reason))),
        Err(other) => return Err(other),
    }
    let result = {
        let mut context = passage.running(Work::Write(&mut unit));
        guarded(passage, call.run(&mut context)).await
    };
    if unit.is_conflicted() {
        return Ok(None);
    }
    // Dropped before its end, a unit is undone: nothing has happened then.
    let ending = hooks::ending(passage, tool, result);
    if !ending.did_it() {
        return Ok(Some(ending));
    }
    if passage.lease.is_some() {
        // Whoever took the run over does not expect this write any more.
        let mut main = counter.store.unit().await?;
        close::check_lease(passage, &mut main).await?;
    }
    Ok(Some(commit(passage, unit, connection, ending).await))
}

async fn commit(passage: &Passage<'_>, mut unit: Unit, connection: &str, ending: Ending) -> Ending {
    let (counter, id) = (passage.counter, passage.row.id);
    if counter.keeps_marks(connection) {
        let mark = serde_json::to_string(&ending.mark(passage)).unwrap_or_default();
        if let Err(error) = unit.mark(id, &mark, counter.now()).await {
            tracing::error!(%error, call = %id, connection, "a write could not be marked");
            return Ending::failed(Broken::Storage.text().to_owned());
        }
    }
    let Err(error) = unit.commit().await else {
        return ending;
    };
    tracing::error!(%error, call = %id, connection, "a commit was not answered well");
    match counter.connections.written(connection, id).await {
        Ok(Written::Result(_)) => ending,
        Ok(Written::Nothing) => Ending::failed(Broken::Storage.text().to_owned()),
        Ok(Written::Unknown) | Err(_) => Ending::unknown(),
    }
}

/// What is told where a database can't be reached; why is for the log.
pub(super) fn out_of_reach(error: &StoreError) -> String {
    tracing::error!(%error, "a connection can't be used");
    "The database of these records can't be reached just now. Nothing was changed.".to_owned()
}
