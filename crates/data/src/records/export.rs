//! Records by the thousand, for a file of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::access::Access;
use super::criteria::input::Criteria;
use super::error::RecordError;
use super::input::{OrderBy, SearchInput};
use super::rights::Operation;
use super::search::{Limits, found};
use crate::ReadFrom;

const WHOLE: Limits = Limits {
    usual: 10_000,
    most: 10_000,
};

/// Exports records.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExportInput {
    /// The data model.
    pub model: String,
    /// Which records; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Criteria>,
    /// The fields to export, also over relations, e.g. `customer.city`. All when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
    /// How to sort; by id when left out. Empty values come last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<OrderBy>>,
    /// The most records to export, from 1 to 10000; 10000 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// How many records to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
}

impl ExportInput {
    /// The search that finds the same.
    #[must_use]
    pub fn as_search(&self) -> SearchInput {
        SearchInput {
            model: self.model.clone(),
            criteria: self.criteria.clone(),
            fields: self.fields.clone(),
            order: self.order.clone(),
            limit: self.limit,
            offset: self.offset,
        }
    }
}

/// Finds records to export: those of which the user may read and export the same fields by one
/// grant.
///
/// # Errors
/// When the input doesn't fit the model or the user may export nothing of it.
pub async fn export(
    from: &mut impl ReadFrom,
    access: &Access,
    input: &ExportInput,
) -> Result<Value, RecordError> {
    access.model_for(&input.model, Operation::Export)?;
    let both = access.with(Operation::Export);
    found(from, &both, &input.as_search(), WHOLE).await
}
