//! Stage 14, close: state, result and event, in the transaction of the transition.

use toolcrib::agent::step::ending_text;
use toolcrib::id::{CallId, OrgId};
use toolcrib::state::CallState;
use toolcrib_data::platform::calls::{self, CallChange, CallEvent, CallRows, Written};
use toolcrib_data::platform::handles::{self, HandleRow};
use toolcrib_data::platform::runs;
use toolcrib_data::records::Tags;
use toolcrib_data::{StoreError, Unit};

use super::events;
use super::passage::Passage;
use crate::CounterError;
use crate::mark::Mark;
use crate::tool::Touched;

/// How a call ends.
pub(super) struct Ending {
    pub(super) state: CallState,
    result: Option<String>,
    error: Option<String>,
    shown: bool,
    handle: Option<HandleRow>,
    said_by: SaidBy,
}

/// Whose words an ending is told in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SaidBy {
    /// The counter's, or a tool's that has not looked at any record.
    Counter,
    /// The tool's, which says itself where they come from.
    Tool,
    /// A hook's, which can't say.
    Hook,
}

/// Tags that say nothing: what they stand beside is kept from whoever anything is kept from. No tags at all
/// would leave those that were there.
const UNSAID: &str = "null";

impl Ending {
    pub(super) fn succeeded(result: String, shown: bool, handle: Option<HandleRow>) -> Self {
        Self {
            state: CallState::Succeeded,
            result: Some(result),
            error: None,
            shown,
            handle,
            said_by: SaidBy::Tool,
        }
    }

    /// The tool did its work, and a hook has still to look at what it answered.
    pub(super) fn ran(result: String, shown: bool) -> Self {
        Self {
            state: CallState::Ran,
            ..Self::succeeded(result, shown, None)
        }
    }

    /// Whether the tool did its work.
    pub(super) fn did_it(&self) -> bool {
        matches!(self.state, CallState::Succeeded | CallState::Ran)
    }

    /// The tool ran, and says what went wrong.
    pub(super) fn failed_by_tool(message: String) -> Self {
        Self {
            said_by: SaidBy::Tool,
            ..Self::failed(message)
        }
    }

    pub(super) fn failed(reason: String) -> Self {
        Self::without_result(CallState::Failed, reason)
    }

    pub(super) fn refused(reason: String) -> Self {
        Self::without_result(CallState::Refused, reason)
    }

    pub(super) fn cancelled() -> Self {
        Self::without_result(
            CallState::Cancelled,
            ending_text(CallState::Cancelled).to_owned(),
        )
    }

    pub(super) fn unknown() -> Self {
        Self::without_result(
            CallState::Unknown,
            ending_text(CallState::Unknown).to_owned(),
        )
    }

    fn without_result(state: CallState, error: String) -> Self {
        Self {
            state,
            result: None,
            error: Some(error),
            shown: false,
            handle: None,
            said_by: SaidBy::Counter,
        }
    }

    /// The same, of a result that a hook made.
    pub(super) fn made_by_hook(self) -> Self {
        Self {
            said_by: SaidBy::Hook,
            ..self
        }
    }

    /// What a connection keeps of it.
    pub(super) fn mark(&self, passage: &Passage<'_>) -> Mark {
        let result = self.result.clone().unwrap_or_default();
        let (tags, touched) = (self.tags(passage), passage.touched.said());
        Mark::new((result, self.shown), tags, touched, self.handle.as_ref())
    }

    /// What the row says of where the ending's words and values come from.
    fn tags(&self, passage: &Passage<'_>) -> Option<String> {
        let said = passage.tags.said();
        let tags = match self.said_by {
            SaidBy::Tool => said,
            SaidBy::Counter => said.or(Some(Tags::Nothing)),
            SaidBy::Hook => return Some(UNSAID.to_owned()),
        };
        tags.and_then(|tags| serde_json::to_string(&tags).ok())
    }
}

/// Ends a call that wrote nothing else. A new call without a handle needs no unit of its own:
/// its rows go to disk together with those of its neighbours.
pub(super) async fn alone(passage: &mut Passage<'_>, ending: Ending) -> Result<(), CounterError> {
    note_after(passage, &ending);
    if !passage.is_stored && ending.handle.is_none() {
        passage.row.tags = ending.tags(passage);
        let now = passage.counter.now();
        passage.events.push(CallEvent {
            state: ending.state,
            at: now,
            by: None,
            reason: ending.error.clone(),
        });
        let row = &mut passage.row;
        row.state = ending.state;
        row.result = ending.result;
        row.error = ending.error;
        row.shown = ending.shown;
        row.ended_at = ending.state.is_ending().then_some(now);
        let rows = CallRows {
            call: row.clone(),
            events: std::mem::take(&mut passage.events),
            deliveries: events::take(passage),
        };
        passage.counter.store.write_call(rows).await?;
        passage.is_stored = true;
        return Ok(());
    }
    let mut unit = passage.counter.store.unit().await?;
    end(passage, &mut unit, ending).await?;
    unit.commit().await?;
    Ok(())
}

/// Ends a call inside the unit that holds what it wrote.
pub(super) async fn in_unit(
    passage: &mut Passage<'_>,
    unit: &mut Unit,
    ending: Ending,
) -> Result<(), CounterError> {
    note_after(passage, &ending);
    end(passage, unit, ending).await
}

fn note_after(passage: &mut Passage<'_>, ending: &Ending) {
    if ending.state.is_ending() {
        events::after(passage, ending.state == CallState::Refused);
    }
}

async fn end(
    passage: &mut Passage<'_>,
    unit: &mut Unit,
    mut ending: Ending,
) -> Result<(), CounterError> {
    let did_it = ending.did_it();
    passage.row.tags = ending.tags(passage);
    if let Some(handle) = ending.handle.take() {
        handles::insert(unit, passage.row.org, &handle).await?;
        passage.row.handle = Some(handle.id);
    }
    let reason = ending.error.clone();
    passage.row.result = ending.result;
    passage.row.error = ending.error;
    passage.row.shown = ending.shown;
    enter(passage, unit, ending.state, reason).await?;
    let touched = passage.touched.take();
    match touched.filter(|_| did_it && passage.row.trial.is_none()) {
        Some(touched) => {
            let call = (passage.row.org, passage.row.id);
            note(unit, call, &touched, passage.counter.now()).await?;
            Ok(())
        }
        None => Ok(()),
    }
}

/// Notes which records a call wrote, for their activity.
pub(crate) async fn note(
    unit: &mut Unit,
    (org, call): (OrgId, CallId),
    touched: &Touched,
    at: i64,
) -> Result<(), StoreError> {
    let written = Written {
        call,
        model: &touched.model,
        operation: touched.operation,
        at,
    };
    calls::note_written(unit, org, written, &touched.ids).await
}

/// Moves the call into a state, in the unit: the row and its event.
pub(super) async fn enter(
    passage: &mut Passage<'_>,
    unit: &mut Unit,
    state: CallState,
    reason: Option<String>,
) -> Result<(), CounterError> {
    check_lease(passage, unit).await?;
    let now = passage.counter.now();
    let event = CallEvent {
        state,
        at: now,
        by: None,
        reason,
    };
    let before = passage.row.state;
    passage.row.state = state;
    passage.row.ended_at = state.is_ending().then_some(now);
    if passage.is_stored {
        let row = &passage.row;
        let change = CallChange {
            found: row.found.clone(),
            title: Some(row.title.clone()),
            arguments: row.arguments.clone(),
            arguments_hash: row.arguments_hash.clone(),
            repairs: row.repairs.clone(),
            result: row.result.clone(),
            error: row.error.clone(),
            shown: row.shown,
            handle: row.handle.clone(),
            tags: row.tags.clone(),
            hooks: row.hooks.clone(),
            trial: row.trial.clone(),
            started_at: row.started_at,
        };
        if !calls::transition(unit, row.org, row.id, &[before], &event, &change).await? {
            return Err(CounterError::WrongState(before));
        }
    } else {
        passage.events.push(event);
        let rows = CallRows {
            call: passage.row.clone(),
            events: std::mem::take(&mut passage.events),
            deliveries: Vec::new(),
        };
        calls::insert(unit, &[rows]).await?;
        passage.is_stored = true;
    }
    Ok(events::store(passage, unit).await?)
}

/// As [`check_lease`], without keeping others from the run while a tool is at work: it is checked again
/// before the end.
pub(super) async fn check_lease_now(
    passage: &Passage<'_>,
    unit: &mut Unit,
) -> Result<(), CounterError> {
    match passage.lease {
        Some(lease) if !runs::is_current(unit, lease).await? => Err(CounterError::LeaseLost),
        _ => Ok(()),
    }
}

/// A run that another server has taken over writes nothing more.
pub(super) async fn check_lease(
    passage: &Passage<'_>,
    unit: &mut Unit,
) -> Result<(), CounterError> {
    match passage.lease {
        Some(lease) if !runs::holds(unit, lease).await? => Err(CounterError::LeaseLost),
        _ => Ok(()),
    }
}
