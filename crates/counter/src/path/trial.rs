//! A trial: the tool really runs, in a unit that is always undone. It takes the place of the stages
//! from approval on, since what changes nothing asks nobody.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;
use toolcrib::ToolResult;
use toolcrib_data::Unit;

use super::passage::{Passage, Stop};
use super::replay::Replay;
use super::run::{Broken, guarded};
use super::{approval, bind, close, events, measure, on_connection, run};
use crate::tool::erased::PreparedCall;
use crate::tool::{Level, Work};
use crate::{Card, RegisteredTool};

/// What a trial says beside the tool's own result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trial {
    /// What would have changed, as an approval card shows it; none where nothing would have.
    pub would_change: Option<Card>,
    /// The ids of the records that it made: later trials of the same run make them with these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_ids: Vec<Value>,
}

impl Trial {
    /// As it is stored with the call.
    pub(super) fn stored(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

pub(super) async fn run(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(), Stop> {
    refuse_what_stays(tool)?;
    events::ask(passage, tool, call).await?;
    let limit = passage.counter.options.trial_limit;
    let busy = |_| not_tried("the database was busy with other writes");
    let connection = call.connection();
    let replay = Replay::before(passage, connection.as_deref()).await?;
    let outside = tool.built_in.tool.runs_outside_transaction();
    if tool.level() == Level::ReadOnly && (replay.is_empty() || outside) {
        return run::run(passage, tool, call).await;
    }
    let turn = timeout(limit, passage.counter.unit_on(connection.as_deref())).await;
    let unit = match turn.map_err(busy)? {
        Err(error) if connection.is_some() => {
            return Err(Stop::Failed(on_connection::out_of_reach(&error)));
        }
        unit => unit?,
    };
    passage.row.started_at = Some(passage.counter.now());
    // Out of time, the unit is dropped with the attempt: others write on.
    let attempt = timeout(limit, attempt(passage, (unit, replay), tool, call)).await;
    let (card, new_ids, result) = attempt.map_err(|_| too_long(limit))??;
    if let Some(card) = &card {
        passage.row.title.clone_from(&card.title);
    }
    let worked = matches!(result, Ok(ToolResult::Success { .. }));
    let trial = Trial {
        would_change: card.filter(|_| worked),
        new_ids,
    };
    passage.row.trial = Some(trial.stored());
    let ending = measure::measure(passage, result);
    close::alone(passage, ending).await?;
    Ok(())
}

/// What a rollback does not undo is not run.
fn refuse_what_stays(tool: &RegisteredTool) -> Result<(), Stop> {
    let built_in = &tool.built_in.tool;
    let changes_something = tool.level() != Level::ReadOnly;
    if tool.built_in.spec.kind == "client" {
        return Err(not_tried(
            "it runs in the browser, which a trial leaves alone",
        ));
    }
    if !built_in.undone_by_rollback() || (built_in.runs_outside_transaction() && changes_something)
    {
        return Err(not_tried("what it does can't be undone"));
    }
    Ok(())
}

fn not_tried(why: &str) -> Stop {
    Stop::Refused(format!("Not tried: {why}. Nothing was changed."))
}

fn too_long(limit: Duration) -> Stop {
    not_tried(&format!(
        "it took too long to try, and others wait to write while it is tried (at most {limit:?})"
    ))
}

type Attempted = (Option<Card>, Vec<Value>, Result<ToolResult, Broken>);

/// Runs the tool in a unit that ends here, never committed, after what the run tried before.
async fn attempt(
    passage: &Passage<'_>,
    (mut unit, replay): (Unit, Replay<'_>),
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<Attempted, Stop> {
    replay.make(passage, &mut unit).await?;
    let card = match tool.level() {
        Level::ReadOnly => None,
        Level::Write | Level::Destructive => draw(passage, &mut unit, tool, call).await?,
    };
    let mut context = passage.running(Work::Write(&mut unit));
    let result = guarded(passage, call.run(&mut context)).await;
    Ok((card, unit.take_given(), result))
}

async fn draw(
    passage: &Passage<'_>,
    unit: &mut Unit,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<Option<Card>, Stop> {
    match approval::draw_card(passage, Work::Write(unit), tool, call).await {
        Ok((card, _)) => Ok(Some(card)),
        // As a real call: what asks is stopped by its card, what does not fails in its own words.
        Err(stop) if bind::asks(passage, tool, call) => Err(stop),
        Err(_) => Ok(None),
    }
}
