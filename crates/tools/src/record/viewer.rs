//! A card as somebody else than its asker sees it: through the rights of both.

use serde_json::{Map, Value};
use toolcrib_counter::{Card, CardChange, Principal, WITHHELD};
use toolcrib_data::records::{self, Viewed};
use toolcrib_data::{Store, StoreError};

use super::RecordData;

impl RecordData {
    /// The card of a waiting write to records of a model, as `viewer` may see it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn card_for(
        &self,
        store: &Store,
        viewer: &Principal,
        model: &str,
        card: Card,
    ) -> Result<Card, StoreError> {
        let access = self.access(viewer, None);
        let ids: Vec<String> = ids(&card).collect();
        let viewed = match self.view_of(model).await? {
            Some(mut view) => records::viewed(&mut view, &access, model, &ids).await,
            None => records::viewed(&mut store.snapshot().await?, &access, model, &ids).await,
        };
        Ok(withhold(card, &viewed))
    }
}

/// The ids of the records that a card tells of.
fn ids(card: &Card) -> impl Iterator<Item = String> {
    let records = card.records.iter().map(|record| &record.id);
    let changes = card.changes.iter().map(|change| &change.id);
    let mut ids: Vec<String> = records
        .chain(changes)
        .filter(|id| !id.is_empty())
        .cloned()
        .collect();
    ids.sort();
    ids.dedup();
    ids.into_iter()
}

fn withhold(mut card: Card, viewed: &Viewed) -> Card {
    let mut told = card.changes.iter().map(|change| change.id.as_str());
    let names_new = told.any(str::is_empty);
    if ids(&card).any(|id| !viewed.names(Some(&id))) || (names_new && !viewed.names(None)) {
        // Titles and summaries name records.
        WITHHELD.clone_into(&mut card.title);
        card.summary = None;
    }
    for record in &mut card.records {
        let id = Some(record.id.clone()).filter(|id| !id.is_empty());
        if !viewed.names(id.as_deref()) {
            WITHHELD.clone_into(&mut record.display);
        }
        if id.is_some_and(|id| !viewed.knows(&id)) {
            WITHHELD.clone_into(&mut record.id);
        }
    }
    let only = match card.changes.as_slice() {
        [one] if !one.id.is_empty() => Some(one.id.clone()),
        _ => None,
    };
    for field in &mut card.fields {
        let name = viewed.field_of(&field.label);
        if !name.is_some_and(|name| viewed.shows(only.as_deref(), name)) {
            WITHHELD.clone_into(&mut field.value);
        }
    }
    for change in &mut card.changes {
        changes(change, viewed);
    }
    arguments(&mut card.arguments, viewed);
    card
}

fn changes(change: &mut CardChange, viewed: &Viewed) {
    let id = Some(change.id.clone()).filter(|id| !id.is_empty());
    for field in &mut change.fields {
        if !viewed.shows(id.as_deref(), &field.field) {
            field.before = Some(WITHHELD.to_owned());
            field.after = Some(WITHHELD.to_owned());
        }
    }
    if !viewed.names(id.as_deref()) {
        WITHHELD.clone_into(&mut change.display);
    }
    if id.is_some_and(|id| !viewed.knows(&id)) {
        WITHHELD.clone_into(&mut change.id);
    }
}

/// The arguments, of which values and ids are told only where the viewer may read them.
fn arguments(arguments: &mut Value, viewed: &Viewed) {
    let Some(map) = arguments.as_object_mut() else {
        *arguments = WITHHELD.into();
        return;
    };
    item(map, viewed);
    if let Some(records) = map.get_mut("records").and_then(Value::as_array_mut) {
        for record in records.iter_mut().filter_map(Value::as_object_mut) {
            match record.contains_key("values") {
                true => item(record, viewed),
                // Of a batch of new records each is its values.
                false => values(record, None, viewed),
            }
        }
    }
}

/// What names a record, and what it is to become.
fn item(map: &mut Map<String, Value>, viewed: &Viewed) {
    let id = map.get("id").map(text);
    if let Some(new) = map.get_mut("values").and_then(Value::as_object_mut) {
        values(new, id.as_deref(), viewed);
    }
    if let Some(value) = map.get_mut("id").filter(|id| !viewed.knows(&text(id))) {
        *value = WITHHELD.into();
    }
    let ids = map.get_mut("ids").and_then(Value::as_array_mut);
    for id in ids
        .into_iter()
        .flatten()
        .filter(|id| !viewed.knows(&text(id)))
    {
        *id = WITHHELD.into();
    }
}

fn values(map: &mut Map<String, Value>, id: Option<&str>, viewed: &Viewed) {
    for (field, value) in map {
        if !viewed.shows(id, field) {
            *value = WITHHELD.into();
        }
    }
}

fn text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
