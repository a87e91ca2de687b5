//! A trial: the tool really runs, in a unit that is always undone. It takes the place of the stages
//! from approval on, since what changes nothing asks nobody.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use toolcrib::ToolResult;
use toolcrib_data::Unit;

use super::passage::{Passage, Stop};
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
    if tool.level() == Level::ReadOnly {
        return run::run(passage, tool, call).await;
    }
    let limit = passage.counter.options.trial_limit;
    let busy = |_| not_tried("the database was busy with other writes");
    let connection = call.connection();
    let turn = timeout(limit, passage.counter.unit_on(connection.as_deref())).await;
    let unit = match turn.map_err(busy)? {
        Err(error) if connection.is_some() => {
            return Err(Stop::Failed(on_connection::out_of_reach(&error)));
        }
        unit => unit?,
    };
    passage.row.started_at = Some(passage.counter.now());
    // Out of time, the unit is dropped with the attempt: others write on.
    let attempt = timeout(limit, attempt(passage, unit, tool, call)).await;
    let (card, result) = attempt.map_err(|_| too_long(limit))??;
    if let Some(card) = &card {
        passage.row.title.clone_from(&card.title);
    }
    let worked = matches!(result, Ok(ToolResult::Success { .. }));
    let trial = Trial {
        would_change: card.filter(|_| worked),
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

/// Runs the tool in a unit that ends here, never committed.
async fn attempt(
    passage: &Passage<'_>,
    mut unit: Unit,
    tool: &RegisteredTool,
    call: &dyn PreparedCall,
) -> Result<(Option<Card>, Result<ToolResult, Broken>), Stop> {
    let drawn = approval::draw_card(passage, Work::Write(&mut unit), tool, call).await;
    let card = match drawn {
        Ok((card, _)) => Some(card),
        // As a real call: what asks is stopped by its card, what does not fails in its own words.
        Err(stop) if bind::asks(passage, tool, call) => return Err(stop),
        Err(_) => None,
    };
    let mut context = passage.running(Work::Write(&mut unit));
    let result = guarded(passage, call.run(&mut context)).await;
    Ok((card, result))
}
