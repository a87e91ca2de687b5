use serde_json::Value;

use super::{FieldChange, Plan, PlanChange, PlanField, PlanRecord};
use crate::records::access::Access;
use crate::records::criteria::path::Names;
use crate::records::ids::Key;
use crate::records::model::Model;
use crate::records::rights::allowed::Readable;
use crate::records::values::render;
use crate::records::write::create::Creation;
use crate::records::write::delete::Removal;
use crate::records::write::settings::Setting;
use crate::records::write::targets::Targets;
use crate::records::write::update::{Change, Item};

pub(super) fn creation(creation: &Creation<'_>) -> Plan {
    let model = creation.model;
    let changes: Vec<PlanChange> = creation
        .batch
        .iter()
        .map(|settings| {
            let named = settings
                .iter()
                .find(|setting| setting.field.name == model.display);
            let display = named.and_then(|setting| creation.targets.plain(setting));
            let fields = settings
                .iter()
                .map(|setting| after(setting, None, &creation.targets))
                .collect();
            PlanChange {
                id: None,
                display: display.unwrap_or_default(),
                fields,
            }
        })
        .collect();
    let one = changes
        .first()
        .map(|change| change.display.clone())
        .unwrap_or_default();
    finish("Create", "Creates", model, &one, changes, Vec::new())
}

pub(super) fn change(access: &Access, change: &Change<'_>) -> Plan {
    let changes: Vec<PlanChange> = change
        .items
        .iter()
        .map(|item| PlanChange {
            id: Some(item.id.to_string()),
            display: item.old.display.clone(),
            fields: item
                .settings
                .iter()
                .map(|setting| changed(access, change, item, setting))
                .collect(),
        })
        .collect();
    let records = change
        .items
        .iter()
        .map(|item| record(&item.id, &item.old.display))
        .collect();
    let one = changes
        .first()
        .map(|change| change.display.clone())
        .unwrap_or_default();
    finish("Update", "Touches", change.model, &one, changes, records)
}

pub(super) fn removal(removal: &Removal<'_>) -> Plan {
    let records: Vec<PlanRecord> = removal
        .records
        .iter()
        .map(|(id, display)| record(id, display))
        .collect();
    let one = records
        .first()
        .map(|record| record.display.clone())
        .unwrap_or_default();
    let mut plan = finish(
        "Delete",
        "Deletes",
        removal.model,
        &one,
        Vec::new(),
        records,
    );
    let missing = removal.missing.len();
    if missing > 0 {
        let ids = if missing == 1 {
            "id matches"
        } else {
            "ids match"
        };
        plan.summary
            .push_str(&format!(" {missing} {ids} no record."));
    }
    plan
}

fn finish(
    verb: &str,
    says: &str,
    model: &Model,
    one: &str,
    changes: Vec<PlanChange>,
    records: Vec<PlanRecord>,
) -> Plan {
    let record_count = Ord::max(changes.len(), records.len());
    let noun = model.noun(record_count);
    let title = match record_count {
        1 => format!("{verb} {}", model.named(one)),
        count => format!("{verb} {count} {noun}"),
    };
    let fields = match changes.as_slice() {
        [only] => only.fields.iter().map(field).collect(),
        _ => Vec::new(),
    };
    Plan {
        title,
        verb: format!("{verb} {noun}"),
        summary: format!("{says} {record_count} {noun}."),
        fields,
        records,
        record_count,
        changes,
        fingerprint: String::new(),
    }
}

fn field(change: &FieldChange) -> PlanField {
    PlanField {
        label: change.label.clone(),
        value: change.after.clone().unwrap_or_else(|| "(empty)".to_owned()),
    }
}

fn record(id: &Key, display: &str) -> PlanRecord {
    PlanRecord {
        id: id.to_string(),
        display: display.to_owned(),
    }
}

fn changed(
    access: &Access,
    change: &Change<'_>,
    item: &Item<'_>,
    setting: &Setting<'_>,
) -> FieldChange {
    let before = if Readable(access).knows(change.model, setting.field) {
        item.old
            .shown
            .get(&setting.field.name)
            .and_then(render::plain)
    } else {
        Some("(withheld)".to_owned())
    };
    let mut changed = after(setting, before, &change.targets);
    let stays = item.old.shown.get(&setting.field.name).and_then(withheld);
    if let Some(stays) = stays {
        // What the asker can't read stays in the list.
        let set = changed.after.iter().map(String::as_str);
        changed.after = Some(set.chain([stays.as_str()]).collect::<Vec<_>>().join(", "));
    }
    changed
}

/// What stands in a list for what can't be read.
fn withheld(list: &Value) -> Option<String> {
    let mut items = list.as_array()?.iter();
    render::plain(items.find(|item| item.get("withheld").is_some())?)
}

fn after(setting: &Setting<'_>, before: Option<String>, targets: &Targets) -> FieldChange {
    FieldChange {
        field: setting.field.name.clone(),
        label: setting.field.title.clone(),
        before,
        after: targets.plain(setting),
    }
}
