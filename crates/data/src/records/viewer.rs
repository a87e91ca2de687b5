//! What somebody else than its asker may see of a write that waits: what both may read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::access::Access;
use super::input::{ReadInput, RecordId};
use super::model::{Field, ID, Model};
use super::read::read;
use super::rights::Operation;
use crate::ReadFrom;

/// What a viewer may read of the records that a card tells of.
#[derive(Clone, Debug, Default)]
pub struct Viewed {
    /// The fields that the viewer reads on every record there is.
    always: BTreeSet<String>,
    /// The fields that the viewer reads on each record that they may read at all.
    with_record: BTreeSet<String>,
    /// The fields whose values name other records.
    relations: BTreeSet<String>,
    /// The field that names a record.
    display: String,
    /// The titles of all fields, as cards have them, with their names.
    titles: BTreeMap<String, String>,
    /// The records that the viewer may read, by id.
    records: BTreeMap<String, Map<String, Value>>,
}

impl Viewed {
    /// Whether the viewer may read the record of that id.
    #[must_use]
    pub fn knows(&self, id: &str) -> bool {
        self.records.contains_key(id)
    }

    /// Whether the viewer may see values of the field: before and after in the record of that id, or
    /// in a new one where there is none. What can't be told for sure is withheld.
    #[must_use]
    pub fn shows(&self, id: Option<&str>, field: &str) -> bool {
        let record = id.map(|id| self.records.get(id));
        if record == Some(None) {
            return false;
        }
        if self.always.contains(field) {
            return true;
        }
        // Which other record it will lead to is not known to be the viewer's.
        let is_plain = !self.relations.contains(field);
        let value = record.flatten().and_then(|record| record.get(field));
        // Of an empty value nobody can tell whether it is empty or not the viewer's.
        let is_read =
            value.is_some_and(|value| !value.is_null() || self.with_record.contains(field));
        is_plain && is_read
    }

    /// Whether the viewer may see what the record of that id is called, or a new one where there is
    /// none.
    #[must_use]
    pub fn names(&self, id: Option<&str>) -> bool {
        self.shows(id, &self.display)
    }

    /// The field that a card calls by this title.
    #[must_use]
    pub fn field_of(&self, title: &str) -> Option<&str> {
        self.titles.get(title).map(String::as_str)
    }
}

/// What the viewer may read of these records of a model, at most 100 of them. What goes wrong, like
/// a right that is missing, lets nothing be seen.
pub async fn viewed(
    from: &mut impl ReadFrom,
    access: &Access,
    model: &str,
    ids: &[String],
) -> Viewed {
    let Some(model) = access.catalog.model(model) else {
        return Viewed::default();
    };
    let fields = model.fields.iter();
    let mut viewed = Viewed {
        always: fields
            .clone()
            .filter(|field| always_reads(access, model, field))
            .map(|field| field.name.clone())
            .collect(),
        with_record: fields
            .clone()
            .filter(|field| reads_with_record(access, model, field))
            .map(|field| field.name.clone())
            .collect(),
        relations: fields
            .clone()
            .filter(|field| field.kind.leads_to().is_some())
            .map(|field| field.name.clone())
            .collect(),
        display: model
            .field(&model.display)
            .map_or_else(|| ID.to_owned(), |field| field.name.clone()),
        titles: fields
            .map(|field| (field.title.clone(), field.name.clone()))
            .collect(),
        records: BTreeMap::new(),
    };
    if ids.is_empty() {
        return viewed;
    }
    let ids = ids.iter().take(100).cloned().map(RecordId::Text).collect();
    let input = ReadInput {
        model: model.name.clone(),
        id: None,
        ids: Some(ids),
        fields: None,
    };
    let found = read(from, access, &input).await.unwrap_or_default();
    let records = found.get("records").and_then(Value::as_array);
    for record in records.into_iter().flatten().filter_map(Value::as_object) {
        let id = record.get(ID).map(|id| match id {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        if let Some(id) = id {
            viewed.records.insert(id, record.clone());
        }
    }
    viewed
}

/// Whether every grant that lets the viewer read a record covers the field.
fn reads_with_record(access: &Access, model: &Model, field: &Field) -> bool {
    let grants = access.grants_for(&model.name, Operation::Read);
    grants.iter().all(|grant| grant.read_fields.covers(field))
}

/// Whether the viewer reads a field on every record, and also what it leads to.
fn always_reads(access: &Access, model: &Model, field: &Field) -> bool {
    let every = |model: &Model, field: &Field| {
        let grants = access.grants_for(&model.name, Operation::Read);
        let mut all = grants.iter().filter(|grant| grant.condition.is_none());
        all.any(|grant| grant.read_fields.covers(field))
    };
    let leads_to = field.kind.leads_to();
    let also = leads_to.is_none_or(|target| {
        let target = access.catalog.model(target);
        target.is_some_and(|target| {
            let display = target.field(&target.display).or(target.id());
            display.is_some_and(|display| every(target, display))
        })
    });
    every(model, field) && also
}
