//! Stages 9 and 13, the events before and after a call. Who has to be asked before it is asked now;
//! who is told is told later, of what is stored with the transitions themselves.

use toolcrib::id::{CallId, DeliveryId, OrgId};
use toolcrib_data::platform::deliveries::{self, DeliveryRow, DeliveryStatus, Moment};
use toolcrib_data::platform::tools::{EventSwitch, ToolEvents};
use toolcrib_data::{StoreError, Unit};

use super::bind;
use super::passage::{Passage, Stop};
use super::run::Broken;
use crate::tool::erased::PreparedCall;
use crate::{Counter, RegisteredTool, Registry};

/// The events of a call on its way.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// Which there are.
    switches: ToolEvents,
    /// Whether the one before the call was reached.
    reached: Reached,
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
    let switches = bind::events(passage, tool, call);
    if switches.pre != EventSwitch::Off {
        let subscribers = &passage.counter.subscribers;
        let asked = async {
            tokio::select! {
                biased;
                () = passage.cancel.cancelled() => Err(Broken::Cancelled),
                answer = subscribers.ask(&passage.row, switches.pre) => Ok(answer),
            }
        };
        match asked.await {
            Ok(answer) => answer.map_err(|refusal| Stop::Refused(refusal.reason))?,
            Err(broken) => return Err(Stop::Refused(broken.text().to_owned())),
        }
    }
    passage.outgoing = Events {
        switches,
        reached: Reached::Passed,
        pending: rows(passage, switches, Moment::Pre),
    };
    Ok(())
}

/// Stage 13: a call that ran tells how it ended; one that was refused before that tells nothing.
pub(super) fn after(passage: &mut Passage<'_>, is_refused: bool) {
    match passage.outgoing.reached {
        Reached::No => {}
        Reached::Passed if is_refused => passage.outgoing.pending.clear(),
        Reached::Passed | Reached::Stored => {
            let rows = rows(passage, passage.outgoing.switches, Moment::Post);
            passage.outgoing.pending.extend(rows);
        }
    }
}

/// What is to be stored with the next transition.
pub(super) fn take(passage: &mut Passage<'_>) -> Vec<DeliveryRow> {
    if passage.outgoing.reached == Reached::Passed {
        passage.outgoing.reached = Reached::Stored;
    }
    std::mem::take(&mut passage.outgoing.pending)
}

/// Stores what is to be told, in the unit of the transition.
pub(super) async fn store(passage: &mut Passage<'_>, unit: &mut Unit) -> Result<(), StoreError> {
    let pending = take(passage);
    if pending.is_empty() {
        return Ok(());
    }
    deliveries::insert(unit, passage.row.org, &pending).await?;
    passage.counter.subscribers.stored(passage.row.id);
    Ok(())
}

fn rows(passage: &Passage<'_>, switches: ToolEvents, moment: Moment) -> Vec<DeliveryRow> {
    let (counter, row) = (passage.counter, &passage.row);
    counter.event_rows((row.id, &row.tool), switches, moment)
}

impl Counter {
    /// What is stored of an event, one row for each who is told.
    fn event_rows(
        &self,
        (call, tool): (CallId, &str),
        switches: ToolEvents,
        moment: Moment,
    ) -> Vec<DeliveryRow> {
        let switch = match moment {
            Moment::Pre => switches.pre,
            Moment::Post => switches.post,
        };
        if switch == EventSwitch::Off {
            return Vec::new();
        }
        let now = self.now();
        let told = self.subscribers.told(tool, moment);
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

    /// Stores the event after a call whose end was found out later.
    pub(crate) async fn tell_settled(
        &self,
        unit: &mut Unit,
        org: OrgId,
        (call, tool): (CallId, &str),
        prepared: Option<&dyn PreparedCall>,
    ) -> Result<(), StoreError> {
        let switches = switches_of(&self.registry, tool, prepared);
        let rows = self.event_rows((call, tool), switches, Moment::Post);
        deliveries::insert(unit, org, &rows).await
    }
}

/// The events of a tool's calls as its rows say now.
fn switches_of(registry: &Registry, tool: &str, prepared: Option<&dyn PreparedCall>) -> ToolEvents {
    let own = registry.row(tool).map(|tool| tool.row.settings.events);
    let function = prepared.and_then(PreparedCall::function);
    let function = function.and_then(|(model, function)| registry.function(&model, function));
    let function = function.map(|tool| tool.row.settings.events);
    own.unwrap_or_default().or(function.unwrap_or_default())
}
