//! Arguments that whoever decides edited: they take the way from reading to the card once more, as the
//! asker's.

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolcrib_data::platform::approvals::Edited;
use toolcrib_data::platform::calls::{CallRow, FoundTool};

use super::passage::{Passage, Stop};
use super::{approval, find, read, refuse, rights};
use crate::tool::Work;
use crate::{AgentScope, Counter, CounterError, Principal};

/// Arguments that were read, checked and drawn anew.
#[derive(Debug)]
pub(crate) struct Redrawn {
    /// The arguments, frozen.
    pub(crate) arguments: String,
    /// The tool, at the version that drew the card.
    pub(crate) found: Option<FoundTool>,
    /// What the card calls it.
    pub(crate) title: String,
    /// What the approval becomes.
    pub(crate) edited: Edited,
}

/// Why edited arguments can't be decided on.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// What is wrong with them, for whoever edited them.
    Told(String),
    /// The counter itself broke down.
    Error(CounterError),
}

/// Reads, checks and draws a waiting call with other arguments, on behalf of its asker.
pub(crate) async fn redraw(
    counter: &Counter,
    asker: &Principal,
    agent: Option<AgentScope>,
    row: &CallRow,
    arguments: &Map<String, Value>,
) -> Result<Redrawn, Unfit> {
    let mut row = row.clone();
    let arguments_before = row.arguments.take().unwrap_or_default();
    row.arguments_asked = Value::Object(arguments.clone()).to_string();
    let cancel = CancellationToken::new();
    let mut passage = Passage::edited_call(counter, asker, agent, row, cancel);
    match walk(&mut passage, arguments_before).await {
        Ok(redrawn) => Ok(redrawn),
        Err(Stop::Refused(reason) | Stop::Failed(reason)) => Err(Unfit::Told(reason)),
        Err(Stop::Waiting) => Err(Unfit::Told("It can't be decided on.".to_owned())),
        Err(Stop::Error(error)) => Err(Unfit::Error(error)),
    }
}

async fn walk(passage: &mut Passage<'_>, arguments_before: String) -> Result<Redrawn, Stop> {
    let tool = find::find(passage)?;
    let call = read::read(passage, &tool)?;
    refuse::refuse_early(passage, &tool)?;
    rights::check(passage, call.as_ref())?;
    let connection = call.connection();
    let snapshot = passage.counter.snapshot_on(connection.as_deref()).await;
    let mut snapshot = snapshot?;
    let work = Work::Read(&mut snapshot);
    let (card, fingerprint) = approval::draw_card(passage, work, &tool, call.as_ref()).await?;
    drop(snapshot);
    let row = &mut passage.row;
    Ok(Redrawn {
        found: row.found.take(),
        title: card.title.clone(),
        arguments: row.arguments.take().unwrap_or_default(),
        edited: Edited {
            arguments_before,
            arguments_hash: row.arguments_hash.take().unwrap_or_default(),
            card: serde_json::to_value(&card).unwrap_or_default(),
            fingerprint,
        },
    })
}
