//! What was done with one record, from the calls that wrote it, as its reader may read it now.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::access::Access;
use super::content::told::without_place;
use super::criteria::path::{Names as _, Path};
use super::error::Problem;
use super::error::{RecordError, settle};
use super::functions::ModelFunction;
use super::ids::{Ids, Key};
use super::input::RecordId;
use super::model::{Field, ID, Model, VERSION};
use super::read::{by_id, storage};
use super::rights::Operation;
use super::rights::allowed::{Readable, allowed};
use super::run_sql::rows;
use super::scope::ROOT;
use super::select::{Selection, Wanted};
use super::values::render;
use super::write::guard;
use crate::conn::Conn;
use crate::platform::calls::{ActivityRow, of_record};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, Snapshot};

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;
const MAX_OFFSET: u32 = 10_000;

/// Tells what was done with one record.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ActivityInput {
    /// The data model.
    pub model: String,
    /// The id of the record.
    pub id: RecordId,
    /// The most entries to answer with, from 1 to 100; 20 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// How many newer entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// The activity of a record, newest first. A record that the user may not read is missing, like
/// one that does not exist; a field that the user may not read of it is not told of.
///
/// # Errors
/// When the input doesn't fit the model or the user may read nothing of it.
pub async fn activity(
    from: &mut impl ReadFrom,
    mut elsewhere: Option<&mut Snapshot>,
    access: &Access,
    input: &ActivityInput,
) -> Result<Value, RecordError> {
    let model = access.function_of(&input.model, ModelFunction::Read)?;
    let ids = Ids::read(Some(&input.id), None, model)?;
    let (limit, offset) = window(input)?;
    let Some(id) = ids.ids.first() else {
        return Err(RecordError::one("/id", "is missing"));
    };
    let shown = match &mut elsewhere {
        Some(view) => shown_fields(&mut view.as_conn().await?, access, model, id).await?,
        None => shown_fields(&mut from.as_conn().await?, access, model, id).await?,
    };
    let Some(fields) = shown else {
        return Ok(json!({ "model": model.name, "activity": [], "missing": [id.json()] }));
    };
    let record = (model.name.as_str(), id.to_string());
    let record = (record.0, record.1.as_str());
    let mut written = of_record(from, access.org, record, (limit + 1, offset)).await?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let truncated = written.len() > most;
    written.truncate(most);
    let mut entries: Vec<Entry> = written.iter().map(|row| Entry::of(row, id)).collect();
    for entry in &mut entries {
        entry
            .changes
            .retain(|change| fields.contains(&change.field));
    }
    let names = match &mut elsewhere {
        Some(view) => Others::load(&mut view.as_conn().await?, access, model, &entries).await?,
        None => Others::load(&mut from.as_conn().await?, access, model, &entries).await?,
    };
    let told: Vec<Value> = entries
        .iter()
        .map(|entry| entry.told(model, &names))
        .collect();
    Ok(json!({
        "model": model.name,
        "id": id.json(),
        "activity": told,
        "truncated": truncated,
        "missing": [],
    }))
}

fn window(input: &ActivityInput) -> Result<(u32, u32), RecordError> {
    let (limit, offset) = (
        input.limit.unwrap_or(DEFAULT_LIMIT),
        input.offset.unwrap_or_default(),
    );
    let mut problems = Vec::new();
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format!("must be from 1 to {MAX_LIMIT}; got {limit}");
        problems.push(Problem::new("/limit", message));
    }
    if offset > MAX_OFFSET {
        let message = format!("must be at most {MAX_OFFSET}");
        problems.push(Problem::new("/offset", message));
    }
    settle(problems)?;
    Ok((limit, offset))
}

/// The names of the fields that the user may read of this very record; nothing if it does not show.
async fn shown_fields(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    id: &Key,
) -> Result<Option<BTreeSet<String>>, RecordError> {
    let grants = allowed(access, model, Operation::Read);
    let (statement, decoder) = {
        let mut selection = Selection::new(access, model);
        for flag in guard::flags(access, &grants, ROOT) {
            selection.extra(flag);
        }
        selection.with_ids(std::slice::from_ref(id));
        selection.finish()?
    };
    let found = rows(conn, statement).await.map_err(storage)?;
    let Some(row) = found.first() else {
        return Ok(None);
    };
    let holding = guard::set(decoder.extras(row));
    let covers = |field: &&Field| {
        let mut holding = holding.iter().filter_map(|index| grants.get(*index));
        holding.any(|grant| grant.read.covers(field))
    };
    let fields = model.holding().filter(covers);
    Ok(Some(fields.map(|field| field.name.clone()).collect()))
}

/// One call, and what it changed.
struct Entry {
    facts: Map<String, Value>,
    /// None where what it changed is not kept any more.
    changes_kept: Kept,
    changes: Vec<Change>,
}

/// Whether what a call changed is still there to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

/// What became of one field, as the asker could read it.
struct Change {
    field: String,
    /// `before` and `after`, those that are there.
    values: Vec<(&'static str, Value)>,
    /// Whether the asker could not read all of it.
    withheld: Option<Value>,
}

impl Entry {
    fn of(row: &ActivityRow, id: &Key) -> Self {
        let call = &row.call;
        let at = Timestamp::from_microsecond(row.at);
        let mut facts = Map::new();
        let mut fact = |key: &str, value: Value| drop(facts.insert(key.to_owned(), value));
        fact("at", at.map_or(Value::Null, |at| at.to_string().into()));
        fact("by", json!({ "id": call.asker, "name": row.asker_name }));
        fact("tool", call.tool.clone().into());
        fact("operation", row.operation.clone().into());
        fact("via", call.via.name().into());
        if let Some(agent) = &call.agent {
            fact("agent", agent.clone().into());
        }
        let output = output(row);
        let record = output.as_ref().and_then(|output| record(output, id));
        let changes = match (record, row.operation.as_str()) {
            (Some(record), "create") => created(record),
            (Some(record), _) => changed(record),
            (None, _) => Vec::new(),
        };
        let changes_kept = match output {
            Some(_) => Kept::Yes,
            None => Kept::No,
        };
        Self {
            facts,
            changes_kept,
            changes,
        }
    }

    fn told(&self, model: &Model, others: &Others) -> Value {
        let mut told = self.facts.clone();
        let changes: Vec<Value> = self
            .changes
            .iter()
            .filter_map(|change| Some(change.told(model.field(&change.field)?, others)))
            .collect();
        match self.changes_kept {
            Kept::Yes => drop(told.insert("changes".to_owned(), changes.into())),
            Kept::No => drop(told.insert("changesKept".to_owned(), false.into())),
        }
        told.into()
    }
}

/// The whole output of a call: stored with it, or behind its handle.
fn output(row: &ActivityRow) -> Option<Value> {
    if row.call.handle.is_some() {
        return serde_json::from_str(row.large.as_deref()?).ok();
    }
    let mut stored: Value = serde_json::from_str(row.call.result.as_deref()?).ok()?;
    stored.get_mut("output").map(Value::take)
}

/// The record of that id in an output.
fn record<'o>(output: &'o Value, id: &Key) -> Option<&'o Map<String, Value>> {
    let mut records = output.get("records")?.as_array()?.iter();
    let found = records.find(|record| record.get(ID) == Some(&id.json()));
    found?.as_object()
}

/// What a new record was given; what is empty was not.
fn created(record: &Map<String, Value>) -> Vec<Change> {
    let given = record
        .iter()
        .filter(|(key, value)| !value.is_null() && *key != ID && *key != VERSION);
    given
        .map(|(key, value)| Change {
            field: key.clone(),
            values: vec![("before", Value::Null), ("after", value.clone())],
            withheld: None,
        })
        .collect()
}

fn changed(record: &Map<String, Value>) -> Vec<Change> {
    let changes = record.get("changes").and_then(Value::as_array);
    let changes = changes.into_iter().flatten();
    changes
        .filter_map(|change| {
            let values = ["before", "after"].into_iter();
            Some(Change {
                field: change.get("field")?.as_str()?.to_owned(),
                values: values
                    .filter_map(|key| Some((key, change.get(key)?.clone())))
                    .collect(),
                withheld: change.get("withheld").cloned(),
            })
        })
        .collect()
}

impl Change {
    fn told(&self, field: &Field, others: &Others) -> Value {
        let mut told = Map::new();
        told.insert("field".to_owned(), field.name.clone().into());
        for (key, value) in &self.values {
            let value = match (field.kind.leads_to(), value) {
                (Some(target), Value::Array(items)) => others.told_list(target, items),
                (Some(target), value) => others.told(target, value),
                (None, value) => {
                    let mut value = value.clone();
                    without_place(&mut value);
                    value
                }
            };
            told.insert((*key).to_owned(), value);
        }
        if let Some(withheld) = &self.withheld {
            told.insert("withheld".to_owned(), withheld.clone());
        }
        told.into()
    }
}

/// The records that relations lead or led to, by model and id, as the user may read them now.
struct Others(BTreeMap<(String, Key), String>);

impl Others {
    async fn load(
        conn: &mut Conn<'_>,
        access: &Access,
        model: &Model,
        entries: &[Entry],
    ) -> Result<Self, RecordError> {
        let mut wanted: BTreeMap<&str, BTreeSet<Key>> = BTreeMap::new();
        for change in entries.iter().flat_map(|entry| &entry.changes) {
            let field = model.field(&change.field);
            let Some(target) = field.and_then(|field| field.kind.leads_to()) else {
                continue;
            };
            let values = change.values.iter().flat_map(|(_, value)| each(value));
            let ids = values.filter_map(id_of);
            wanted.entry(target).or_default().extend(ids);
        }
        let mut names = BTreeMap::new();
        for (target, ids) in wanted {
            let Some(target) = access.catalog.model(target) else {
                continue;
            };
            if !access.may(&target.name, Operation::Read) || ids.is_empty() {
                continue;
            }
            let ids: Vec<Key> = ids.into_iter().collect();
            let display = display_field(access, target);
            let found = by_id(conn, access, target, &ids, display.as_slice()).await?;
            for (id, record) in found {
                let shown = record.get(&target.display).filter(|_| target.display != ID);
                let shown = shown.and_then(render::plain);
                let name = shown.unwrap_or_else(|| format!("{} {id}", target.noun(1)));
                names.insert((target.name.clone(), id), name);
            }
        }
        Ok(Self(names))
    }

    /// A relation as it reads: who may not read the other record learns nothing of it.
    fn told(&self, target: &str, value: &Value) -> Value {
        if value.is_null() {
            return Value::Null;
        }
        let id = id_of(value);
        let name = id
            .as_ref()
            .and_then(|id| self.0.get(&(target.to_owned(), id.clone())));
        match (id, name) {
            (Some(id), Some(name)) => json!({ "id": id.json(), "display": name }),
            _ => json!({ "withheld": true }),
        }
    }

    /// The same of a list: how many of it can't be read is not told.
    fn told_list(&self, target: &str, items: &[Value]) -> Value {
        let withheld = json!({ "withheld": true });
        let told = items.iter().map(|item| match item.get("more") {
            Some(_) => item.clone(),
            None => self.told(target, item),
        });
        let (hidden, mut shown): (Vec<Value>, Vec<Value>) =
            told.partition(|item| *item == withheld);
        shown.extend(hidden.into_iter().take(1));
        shown.into()
    }
}

/// The relations of a value: itself, or those of a list.
fn each(value: &Value) -> &[Value] {
    value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice)
}

fn id_of(value: &Value) -> Option<Key> {
    match value.get(ID)? {
        Value::String(text) => Some(Key::Text(text.clone())),
        other => other.as_i64().map(Key::Int),
    }
}

/// What names a record, if the user may read it.
fn display_field<'a>(access: &'a Access, target: &'a Model) -> Option<Wanted<'a>> {
    let field = target.field(&target.display)?;
    Readable(access).knows(target, field).then(|| Wanted {
        key: target.display.clone(),
        path: Path {
            hops: Vec::new(),
            field,
        },
    })
}
