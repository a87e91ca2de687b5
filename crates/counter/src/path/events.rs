//! Stages 9 and 13, the events before and after a call. Who has to be asked before it is asked now;
//! who is told is told later, of what is stored with the transitions themselves.

use toolcrib::id::{CallId, DeliveryId, OrgId};
use toolcrib::state::CallState;
use toolcrib_data::platform::deliveries::{self, DeliveryRow, DeliveryStatus, Moment};
use toolcrib_data::platform::tools::{EventSwitch, ToolEvents};
use toolcrib_data::{StoreError, Unit};

use super::passage::{Passage, Stop};
use super::{bind, find, rights};
use crate::tool::erased::PreparedCall;
use crate::{Consent, Counter, RegisteredTool, Told};

/// The events of a call on its way.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// Which there are.
    switches: ToolEvents,
    /// The tools that it is a call of.
    tools: Vec<String>,
    /// Whether the one before the call was reached.
    reached: Reached,
    /// Whether something was stored for others.
    told: bool,
    /// What is to be stored with the next transition.
    pending: Vec<DeliveryRow>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reached {
    /// Not yet.
    #[default]
    No,
    /// The call may run now.
    Passed,
    /// It is stored that it does.
    Stored,
}

/// Stage 9: asks who has to agree, and notes who is told.
pub(super) async fn before(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    let (switches, tools) = ask(passage, tool, call).await?;
    let row = &passage.row;
    let of = (row.id, row.tool.as_str());
    passage.outgoing = Events {
        pending: passage
            .counter
            .event_rows(of, &tools, switches.pre, Moment::Pre),
        switches,
        tools,
        reached: Reached::Passed,
        told: false,
    };
    Ok(())
}

/// Asks who has to agree; a trial too, which shows what it finds.
pub(super) async fn ask(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(ToolEvents, Vec<String>), Stop> {
    let (switches, tools) = bind::events(&passage.counter.registry, tool, Some(call));
    if switches.pre == EventSwitch::Off {
        return Ok((switches, tools));
    }
    let event = Told {
        call: &passage.row,
        tools: &tools,
        says: switches.pre,
    };
    let answer = tokio::select! {
        biased;
        () = passage.cancel.cancelled() => return Err(Stop::Cancelled),
        answer = passage.counter.subscribers.ask(event) => answer,
    };
    match answer.map_err(|refusal| Stop::Refused(refusal.reason))? {
        Consent::NotNeeded => {}
        Consent::Given => look_again(passage, tool, call)?,
    }
    Ok((switches, tools))
}

/// To ask takes a while, and the world moves on: what was offered, and on which terms, is looked at again.
fn look_again(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    let before = (passage.row.found.clone(), bind::digest(passage, tool, call));
    let now = find::find(passage)?;
    rights::check(passage, call)?;
    let after = (passage.row.found.clone(), bind::digest(passage, &now, call));
    match before == after {
        true => Ok(()),
        false => Err(Stop::Refused(
            "Not run: the tool was changed while others were asked about this call. Ask again."
                .to_owned(),
        )),
    }
}

/// For a call that goes on after its tool had answered: the event before it is stored, the one after it is not.
pub(super) fn go_on(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: Option<&dyn PreparedCall>,
) {
    let (switches, tools) = bind::events(&passage.counter.registry, tool, call);
    passage.outgoing = Events {
        switches,
        tools,
        reached: Reached::Stored,
        ..Events::default()
    };
}

/// Stage 13: a call that ran tells how it ended; one that was refused before that tells nothing.
pub(super) fn after(passage: &mut Passage<'_>, is_refused: bool) {
    match passage.outgoing.reached {
        Reached::No => {}
        Reached::Passed if is_refused => passage.outgoing.pending.clear(),
        Reached::Passed | Reached::Stored => {
            let (row, events) = (&passage.row, &passage.outgoing);
            let of = (row.id, row.tool.as_str());
            let switch = events.switches.post;
            let rows = passage
                .counter
                .event_rows(of, &events.tools, switch, Moment::Post);
            passage.outgoing.pending.extend(rows);
        }
    }
}

/// What is to be stored with the next transition.
pub(super) fn take(passage: &mut Passage<'_>) -> Vec<DeliveryRow> {
    if passage.outgoing.reached == Reached::Passed {
        passage.outgoing.reached = Reached::Stored;
    }
    passage.outgoing.told |= !passage.outgoing.pending.is_empty();
    std::mem::take(&mut passage.outgoing.pending)
}

/// Keeps the event before the call back from the next transition: it may be refused after that.
pub(super) fn hold(passage: &mut Passage<'_>) -> Events {
    std::mem::take(&mut passage.outgoing)
}

/// Says, after all commits, that there is something to tell.
pub(super) fn wake(passage: &Passage<'_>) {
    if passage.outgoing.told {
        passage.counter.subscribers.stored(passage.row.id);
    }
}

/// Stores what is to be told, in the unit of the transition.
pub(super) async fn store(passage: &mut Passage<'_>, unit: &mut Unit) -> Result<(), StoreError> {
    let pending = take(passage);
    if pending.is_empty() {
        return Ok(());
    }
    deliveries::insert(unit, passage.row.org, &pending).await
}

impl Counter {
    /// What is stored of an event, one row for each who is told.
    fn event_rows(
        &self,
        (call, tool): (CallId, &str),
        tools: &[String],
        switch: EventSwitch,
        moment: Moment,
    ) -> Vec<DeliveryRow> {
        if switch == EventSwitch::Off {
            return Vec::new();
        }
        let now = self.now();
        let told = self.subscribers.told(tools, moment);
        told.into_iter()
            .map(|subscriber| DeliveryRow {
                id: DeliveryId::mint(),
                subscriber,
                call,
                tool: tool.to_owned(),
                moment,
                with_data: switch == EventSwitch::Data,
                status: DeliveryStatus::Waiting,
                attempts: 0,
                next_at: now,
                error: None,
                created_at: now,
                delivered_at: None,
            })
            .collect()
    }

    /// Stores the events of a call whose end was found out later; what was stored before stays.
    pub(crate) async fn tell_settled(
        &self,
        unit: &mut Unit,
        org: OrgId,
        (call, name, state): (CallId, &str, CallState),
        prepared: Option<&dyn PreparedCall>,
    ) -> Result<(), StoreError> {
        let Some(tool) = self.registry.row(name) else {
            return Ok(());
        };
        let (switches, tools) = bind::events(&self.registry, &tool, prepared);
        let moments = [(switches.pre, Moment::Pre), (switches.post, Moment::Post)];
        // What is not at its end tells it later.
        let until = if state.is_ending() { 2 } else { 1 };
        for (switch, moment) in moments.into_iter().take(until) {
            let rows = self.event_rows((call, name), &tools, switch, moment);
            deliveries::insert(unit, org, &rows).await?;
        }
        Ok(())
    }
}
