//! A fingerprint is one hash over everything, for the comparison, and a short one for each
//! record, for the words in which a difference is told: `<hash>;<id>=<hash>;<id>=<hash>`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::Plan;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::criteria::path::Names as _;
use crate::records::error::RecordError;
use crate::records::ids::Key;
use crate::records::links::write::SET;
use crate::records::model::Model;
use crate::records::read::by_id_with;
use crate::records::rights::allowed::Readable;
use crate::records::select::own;

/// Hex digits of a record's own hash; it is for words alone, so it may be short.
const SHORT: usize = 16;

/// The fingerprint of what the asker can read of these records.
pub(super) async fn of(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    ids: &[Key],
) -> Result<String, RecordError> {
    let names = Readable(access);
    let fields = own(model.holding().filter(|field| names.knows(model, field)));
    let found = if ids.is_empty() {
        BTreeMap::new()
    } else {
        by_id_with(conn, access, model, ids, (&fields, SET)).await?
    };
    let mut whole = Sha256::new();
    whole.update(model.name.as_bytes());
    let mut parts = String::new();
    for (id, record) in &found {
        let hash = Sha256::digest(canonical(model, record).as_bytes());
        match id {
            Key::Int(id) => whole.update(id.to_be_bytes()),
            Key::Text(id) => whole.update(id.as_bytes()),
        }
        whole.update(hash);
        let short: String = hex::encode(hash).chars().take(SHORT).collect();
        parts.push_str(&format!(";{}={short}", written(&id.to_string())));
    }
    Ok(format!("{}{parts}", hex::encode(whole.finalize())))
}

/// The record as text: a relation counts by where it leads, not by what names the other record.
fn canonical(model: &Model, record: &Map<String, Value>) -> String {
    let leads = |key: &String| {
        let field = model.field(key);
        field.is_some_and(|field| field.kind.leads_to().is_some())
    };
    let reduced: BTreeMap<&String, Value> = record
        .iter()
        .map(|(key, value)| match value {
            Value::Array(items) if leads(key) => (key, items.iter().map(led_to).collect()),
            value if leads(key) => (key, led_to(value)),
            value => (key, value.clone()),
        })
        .collect();
    serde_json::to_string(&reduced).unwrap_or_default()
}

fn led_to(value: &Value) -> Value {
    value.get("id").unwrap_or(value).clone()
}

/// An id without the signs that stand between the parts.
fn written(id: &str) -> String {
    id.replace('%', "%25")
        .replace(';', "%3B")
        .replace('=', "%3D")
}

/// What has changed since the fingerprint was taken; `None` if nothing has.
pub(super) fn changes(before: &str, now: &Plan) -> Option<String> {
    if before == now.fingerprint {
        return None;
    }
    let (old, new) = (parts(before), parts(&now.fingerprint));
    let mut words = Vec::new();
    for record in &now.records {
        let id = written(&record.id);
        match (old.get(id.as_str()), new.get(id.as_str())) {
            (None, _) => words.push(format!("{} was not there before", record.display)),
            (Some(was), Some(is)) if was != is => {
                words.push(format!("{} has been changed", record.display));
            }
            _ => {}
        }
    }
    words.extend(
        old.keys()
            .filter(|id| !new.contains_key(*id))
            .map(|id| format!("record {id} can no longer be found")),
    );
    Some(if words.is_empty() {
        "the records are not the same".to_owned()
    } else {
        words.join("; ")
    })
}

fn parts(fingerprint: &str) -> BTreeMap<&str, &str> {
    fingerprint
        .split(';')
        .skip(1)
        .filter_map(|part| part.split_once('='))
        .collect()
}
