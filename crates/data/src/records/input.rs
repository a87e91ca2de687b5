//! What the record tools take. The doc comments are what a language model reads of them.

use std::fmt;

use schemars::JsonSchema;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::criteria::input::Criteria;
use super::error::{Problem, RecordError};

/// At most this many records in one call.
pub(super) const BATCH: usize = 100;

/// The id of a record: an integer, or the same as a string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RecordId {
    Number(i64),
    Text(String),
}

impl<'de> Deserialize<'de> for RecordId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdVisitor;

        impl Visitor<'_> for IdVisitor {
            type Value = RecordId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the id of a record, an integer or a string")
            }

            fn visit_i64<E>(self, id: i64) -> Result<RecordId, E> {
                Ok(RecordId::Number(id))
            }

            fn visit_u64<E>(self, id: u64) -> Result<RecordId, E> {
                Ok(i64::try_from(id)
                    .map_or_else(|_| RecordId::Text(id.to_string()), RecordId::Number))
            }

            fn visit_str<E>(self, id: &str) -> Result<RecordId, E> {
                Ok(RecordId::Text(id.to_owned()))
            }
        }

        deserializer.deserialize_any(IdVisitor)
    }
}

/// Describes one data model.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DescribeInput {
    /// The data model, as `list_models` names it.
    pub model: String,
}

/// Creates one record (`values`) or up to 100 (`records`), all or none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateInput {
    /// The data model.
    pub model: String,
    /// The values of one record, by field. Relations take the other record's id; decimals are strings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Value>>,
    /// The values of several records, in place of `values`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Vec<Map<String, Value>>>,
}

/// Reads one record (`id`) or up to 100 (`ids`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReadInput {
    /// The data model.
    pub model: String,
    /// The id of one record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<RecordId>,
    /// The ids of several records, in place of `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<RecordId>>,
    /// The fields to answer with, also over relations, e.g. `customer.city`. All when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
}

/// Changes one record (`id`, `values`) or up to 100 (`records`), all or none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateInput {
    /// The data model.
    pub model: String,
    /// The id of one record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<RecordId>,
    /// The fields to set on it, and no others; null empties a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Value>>,
    /// The version that was read; the update fails if the record was saved since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// Several records, in place of `id`, `values` and `version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Vec<UpdateItem>>,
}

/// One record to change.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateItem {
    /// The id of the record.
    pub id: RecordId,
    /// The fields to set on it, and no others; null empties a field.
    pub values: Map<String, Value>,
    /// The version that was read; the update fails if the record was saved since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// Deletes one record (`id`) or up to 100 (`ids`), all or none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DeleteInput {
    /// The data model.
    pub model: String,
    /// The id of one record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<RecordId>,
    /// The ids of several records, in place of `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<RecordId>>,
}

/// Searches records.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SearchInput {
    /// The data model.
    pub model: String,
    /// Which records; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Criteria>,
    /// The fields to answer with, also over relations, e.g. `customer.city`. All when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
    /// How to sort; by id when left out. Empty values come last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<OrderBy>>,
    /// The most records to answer with, from 1 to 100; 20 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// How many records to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

/// One field to sort by.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OrderBy {
    /// The field, also over relations.
    pub field: String,
    /// Which way; `asc` when left out.
    #[serde(default)]
    pub direction: Direction,
}

/// Which way to sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// Least first.
    #[default]
    Asc,
    /// Greatest first.
    Desc,
}

/// Whether a call named one record or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    One,
    Many,
}

impl Form {
    /// The item's index, to be named in an error; a single record has none.
    pub(super) fn index(self, index: usize) -> Option<usize> {
        match self {
            Self::One => None,
            Self::Many => Some(index),
        }
    }
}

/// One or several, never both, never neither, at most 100.
pub(super) fn one_or_many<T>(
    (one_name, one): (&str, Option<T>),
    (many_name, many): (&str, Option<Vec<T>>),
) -> Result<(Form, Vec<T>), RecordError> {
    let problem = match (one, many) {
        (Some(one), None) => return Ok((Form::One, vec![one])),
        (None, Some(many)) if many.is_empty() => Problem::new(format!("/{many_name}"), "is empty"),
        (None, Some(many)) if many.len() > BATCH => Problem::new(
            format!("/{many_name}"),
            format!(
                "has {} records; at most {BATCH} go into one call",
                many.len()
            ),
        ),
        (None, Some(many)) => return Ok((Form::Many, many)),
        (Some(_), Some(_)) => Problem::new(
            "",
            format!("give either `{one_name}` or `{many_name}`, not both"),
        ),
        (None, None) => Problem::new(
            "",
            format!("give `{one_name}` for one record or `{many_name}` for several"),
        ),
    };
    Err(RecordError::Invalid {
        problems: vec![problem],
    })
}
