//! Arguments that whoever decides edited: they take the way from reading to the card once more, as the
//! asker's, and as the editor's own. What it is done to stays as it was asked for: only what the records
//! are to become can be edited.

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolcrib_data::platform::approvals::{ApprovalRow, Edited};
use toolcrib_data::platform::calls::{CallRow, FoundTool};

use super::passage::{Passage, Stop, shown_hash};
use super::{approval, bind, find, read, refuse, rights};
use crate::tool::{Level, Work};
use crate::{AgentScope, Card, Counter, CounterError, Principal, WITHHELD};

/// Arguments that were read, checked and drawn anew.
#[derive(Debug)]
pub(crate) struct Redrawn {
    /// The arguments, frozen.
    pub(crate) arguments: String,
    /// Their hash.
    pub(crate) arguments_hash: String,
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

/// The people of an edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct People<'a> {
    pub(crate) asker: &'a Principal,
    pub(crate) editor: &'a Principal,
}

/// Reads, checks and draws a waiting call with other arguments.
pub(crate) async fn redraw(
    counter: &Counter,
    people: People<'_>,
    agent: Option<AgentScope>,
    (row, approval): (&CallRow, &ApprovalRow),
    arguments: &Map<String, Value>,
) -> Result<Redrawn, Unfit> {
    let before = row.arguments.as_deref().unwrap_or_default();
    let before: Map<String, Value> = serde_json::from_str(before).unwrap_or_default();
    let arguments = merged(&before, arguments).map_err(Unfit::Told)?;
    let mut row = row.clone();
    let arguments_before = row.arguments.take().unwrap_or_default();
    row.arguments_asked = Value::Object(arguments).to_string();
    let passage = |principal, agent| {
        let cancel = CancellationToken::new();
        Passage::edited_call(counter, principal, agent, row.clone(), cancel)
    };
    if people.editor.user != people.asker.user {
        // Nobody has somebody else do what they may not do themselves; and what is told of their own
        // rights tells them nothing of others'.
        let mut own = passage(people.editor, None);
        walk(&mut own, approval)
            .await
            .map_err(|stop| told(stop, Told::Whole))?;
    }
    let mut passage = passage(people.asker, agent);
    let detail = match people.editor.user == people.asker.user {
        true => Told::Whole,
        false => Told::Nothing,
    };
    let (card, fingerprint) = walk(&mut passage, approval)
        .await
        .map_err(|stop| told(stop, detail))?;
    let row = &mut passage.row;
    let arguments_hash = row.arguments_hash.take().unwrap_or_default();
    Ok(Redrawn {
        arguments: row.arguments.take().unwrap_or_default(),
        found: row.found.take(),
        title: card.title.clone(),
        edited: Edited {
            arguments_before,
            arguments_hash: shown_hash(&approval.nonce, &arguments_hash),
            card: serde_json::to_value(&card).unwrap_or_default(),
            fingerprint,
        },
        arguments_hash,
    })
}

/// How much an editor is told of why it goes no further.
#[derive(Clone, Copy, Debug)]
enum Told {
    Whole,
    /// It is about somebody else's rights.
    Nothing,
}

fn told(stop: Stop, detail: Told) -> Unfit {
    match (stop, detail) {
        (Stop::Error(error), _) => Unfit::Error(error),
        (Stop::Refused(reason) | Stop::Failed(reason), Told::Whole) => Unfit::Told(reason),
        _ => Unfit::Told("who asked may not have it done like this".to_owned()),
    }
}

async fn walk(
    passage: &mut Passage<'_>,
    approval: &ApprovalRow,
) -> Result<(Card, Option<String>), Stop> {
    let tool = find::find(passage)?;
    if tool.level() == Level::Destructive {
        let reason = "what destroys is approved as it was asked for, or not at all";
        return Err(Stop::Refused(reason.to_owned()));
    }
    let call = read::read(passage, &tool)?.prepared()?;
    refuse::refuse_early(passage, &tool)?;
    rights::check(passage, call.as_ref())?;
    if bind::terms(passage, &tool, call.as_ref()) != approval.terms {
        let reason = "others would have to decide on that";
        return Err(Stop::Refused(reason.to_owned()));
    }
    let connection = call.connection();
    let snapshot = passage.counter.snapshot_on(connection.as_deref()).await;
    let mut snapshot = snapshot?;
    let work = Work::Read(&mut snapshot);
    approval::draw_card(passage, work, &tool, call.as_ref()).await
}

/// The edited arguments with what was withheld from the editor put back. Only the values of records
/// may be others than before.
fn merged(
    before: &Map<String, Value>,
    edited: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    let mut whole = edited.clone();
    let fixed = "only the values can be edited; what they are written to stays as it was asked for";
    if before.len() != edited.len() {
        return Err(fixed.to_owned());
    }
    for (key, now) in &mut whole {
        let was = before.get(key).ok_or(fixed)?;
        match (key.as_str(), was, now) {
            ("values", Value::Object(was), Value::Object(now)) => restore(was, now)?,
            ("records", Value::Array(was), Value::Array(now)) if was.len() == now.len() => {
                for (was, now) in was.iter().zip(now) {
                    item(was, now, fixed)?;
                }
            }
            (_, was, now) => {
                if now.as_str() == Some(WITHHELD) {
                    *now = was.clone();
                }
                if now != was {
                    return Err(fixed.to_owned());
                }
            }
        }
    }
    Ok(whole)
}

/// A record of a batch: its values, or what names it beside them.
fn item(was: &Value, now: &mut Value, fixed: &str) -> Result<(), String> {
    let (Value::Object(was), Value::Object(now)) = (was, now) else {
        return Err(fixed.to_owned());
    };
    if !was.contains_key("values") {
        return restore(was, now);
    }
    *now = merged(was, now)?;
    Ok(())
}

fn restore(was: &Map<String, Value>, now: &mut Map<String, Value>) -> Result<(), String> {
    for (field, value) in now {
        if value.as_str() == Some(WITHHELD) {
            let kept = was.get(field);
            *value = kept.cloned().ok_or("what is withheld can't be set")?;
        }
    }
    Ok(())
}
