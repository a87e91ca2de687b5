use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Level;

/// What stands on a card in place of what its reader may not see.
pub const WITHHELD: &str = "[withheld]";

/// What an approval card shows. It is stored as it was shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    /// What would happen: "Update order SO-10482".
    pub title: String,
    /// What the button says: "Update order".
    pub verb: String,
    /// The safety level.
    pub level: Level,
    /// Whether it can't be undone.
    pub irreversible: bool,
    /// How much it touches, in one sentence.
    pub summary: Option<String>,
    /// The arguments in words.
    pub fields: Vec<CardField>,
    /// The records it touches, at most 100.
    pub records: Vec<CardRecord>,
    /// How many records it touches.
    pub record_count: usize,
    /// What would change, record by record.
    pub changes: Vec<CardChange>,
    /// The exact arguments.
    pub arguments: Value,
}

/// An argument in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardField {
    /// What it is.
    pub label: String,
    /// Its value, for people.
    pub value: String,
}

/// A record on a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRecord {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub display: String,
}

/// What would change in one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardChange {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub display: String,
    /// Field by field.
    pub fields: Vec<CardFieldChange>,
}

/// What would change in one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardFieldChange {
    /// The field's name.
    pub field: String,
    /// What people call it.
    pub label: String,
    /// The value now, for people; none when empty.
    pub before: Option<String>,
    /// The value after, for people; none when empty.
    pub after: Option<String>,
}
