//! What a run that is tried has written before. It was undone right then, so it is made again in the unit
//! of the run's next call: between two calls a trial holds nothing.

use serde_json::Value;
use toolcrib::ToolResult;
use toolcrib_data::Unit;
use toolcrib_data::platform::calls::{self, CallRow};

use super::passage::{Passage, Stop};
use super::run::{Broken, guarded};
use super::{Trial, find, read, refuse, rights};
use crate::tool::Work;
use crate::tool::erased::PreparedCall;

/// The earlier writes of a run that is tried, on one database.
pub(super) struct Replay<'a>(Vec<Earlier<'a>>);

struct Earlier<'a> {
    passage: Passage<'a>,
    call: Box<dyn PreparedCall>,
    new_ids: Vec<Value>,
}

impl<'a> Replay<'a> {
    /// What was written on the connection before this call, in its order.
    pub(super) async fn before(
        passage: &Passage<'a>,
        connection: Option<&str>,
    ) -> Result<Self, Stop> {
        let Some(conversation) = passage.row.conversation else {
            return Ok(Self(Vec::new()));
        };
        let mut snapshot = passage.counter.store.snapshot().await?;
        let rows = calls::tried_writes(&mut snapshot, passage.row.org, conversation).await?;
        drop(snapshot);
        let mut earlier = Vec::new();
        for row in rows {
            let one = Earlier::prepare(passage, row)?;
            if one.call.connection().as_deref() == connection {
                earlier.push(one);
            }
        }
        Ok(Self(earlier))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes it all again, with the same ids and at the same moments.
    pub(super) async fn make(&self, passage: &Passage<'_>, unit: &mut Unit) -> Result<(), Stop> {
        for one in &self.0 {
            unit.give_again(one.new_ids.clone());
            let mut context = one.passage.running(Work::Write(unit));
            match guarded(passage, one.call.run(&mut context)).await {
                Ok(ToolResult::Success { .. }) => {}
                Err(Broken::Cancelled) => return Err(Stop::Cancelled),
                Ok(_) | Err(_) => return Err(one.passage.cant_be_repeated()),
            }
        }
        unit.give_again(Vec::new());
        Ok(())
    }
}

impl<'a> Earlier<'a> {
    fn prepare(passage: &Passage<'a>, row: CallRow) -> Result<Self, Stop> {
        let trial = row.trial.as_deref().map(serde_json::from_str::<Trial>);
        let (digest, asked) = (
            row.found.clone().map(|found| found.digest),
            row.arguments.is_some(),
        );
        let mut again = passage.earlier_call(row);
        let Some(Ok(trial)) = trial.filter(|_| asked) else {
            return Err(again.cant_be_repeated());
        };
        // The user, the agent or the tool may be another by now: what is not allowed is not made again.
        let prepared = find::find(&mut again).and_then(|tool| {
            let call = read::read(&mut again, &tool)?.prepared()?;
            refuse::refuse_early(&again, &tool)?;
            rights::check(&again, call.as_ref())?;
            Ok((call, Some(tool.row.digest.clone())))
        });
        match prepared {
            Ok((call, found)) if found == digest => Ok(Self {
                passage: again,
                call,
                new_ids: trial.new_ids,
            }),
            Ok(_) | Err(_) => Err(again.cant_be_repeated()),
        }
    }
}

impl Passage<'_> {
    /// The reason names the tool alone: what the records say now may not be for the language model.
    fn cant_be_repeated(&self) -> Stop {
        Stop::Failed(format!(
            "This trial can't go on: the earlier call of {} can't be made again as it was, since somebody else \
             has changed something in between. Nothing was changed; try the whole run anew.",
            self.row.tool
        ))
    }
}
