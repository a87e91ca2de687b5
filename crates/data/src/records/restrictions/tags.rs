use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::origins::{Origins, of_criteria, of_query};
use crate::records::catalog::Catalog;
use crate::records::error::RecordError;
use crate::records::input::SearchInput;
use crate::records::query::input::QueryInput;

/// What of the data models a stored result holds; it is stored beside it, so that the result can
/// be masked whenever it is encoded. Where a value comes from is written `model.field`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "holds", rename_all = "snake_case")]
pub enum Tags {
    /// Nothing of any record.
    Nothing,
    /// Records of a model, by the names of their fields.
    Records {
        /// The model.
        model: String,
        /// The fields that are there, as they were asked for.
        fields: BTreeSet<String>,
        /// What decided, in other ways than by a given value, which records are there and in
        /// which order.
        #[serde(default)]
        probes: Origins,
    },
    /// What became of fields of records, before and after.
    Changes {
        /// The model.
        model: String,
        /// The fields.
        fields: BTreeSet<String>,
    },
    /// The activity of a record: changes under each entry.
    Activity {
        /// The model.
        model: String,
        /// The fields.
        fields: BTreeSet<String>,
    },
    /// Rows of a query.
    Rows {
        /// Where each column comes from.
        columns: BTreeMap<String, Origins>,
        /// The same of each summary.
        summaries: BTreeMap<String, Origins>,
        /// As of records.
        probes: Origins,
    },
    /// Words that may quote anything of these models.
    Words {
        /// The models.
        models: BTreeSet<String>,
    },
}

/// What is to be tagged.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// Records of the model of that name.
    Records(&'a str),
    /// Records that were searched for.
    Search(&'a SearchInput),
    /// What was changed in records of the model of that name.
    Changes(&'a str),
    /// The activity of a record of the model of that name.
    Activity(&'a str),
    /// Rows of a query.
    Query(&'a QueryInput),
}

impl<'a> Subject<'a> {
    /// The model that it is about first.
    #[must_use]
    pub fn model(self) -> &'a str {
        match self {
            Self::Records(model) | Self::Changes(model) | Self::Activity(model) => model,
            Self::Search(input) => &input.model,
            Self::Query(query) => &query.from.model,
        }
    }
}

impl Tags {
    /// The tags of an output.
    #[must_use]
    pub fn of(catalog: &Catalog, subject: Subject<'_>, output: &Value) -> Self {
        let list = |key: &str| {
            let items = output.get(key).and_then(Value::as_array);
            items.into_iter().flatten()
        };
        let records = list("records");
        match subject {
            Subject::Records(model) => Self::Records {
                model: model.to_owned(),
                fields: records.flat_map(keys).collect(),
                probes: Origins::new(),
            },
            Subject::Search(input) => Self::Records {
                model: input.model.clone(),
                fields: records.flat_map(keys).collect(),
                probes: of_criteria(catalog, input),
            },
            Subject::Changes(model) => Self::Changes {
                model: model.to_owned(),
                fields: records.flat_map(changed).collect(),
            },
            Subject::Activity(model) => Self::Activity {
                model: model.to_owned(),
                fields: list("activity").flat_map(changed).collect(),
            },
            Subject::Query(query) => of_query(catalog, query),
        }
    }

    /// The tags of what a caller is told of an error. Those that name a record or a value are
    /// words of its model.
    #[must_use]
    pub fn of_error(error: &RecordError, model: &str) -> Self {
        match error {
            RecordError::RecordDenied { .. }
            | RecordError::Constraint { .. }
            | RecordError::Stale { .. } => Self::Words {
                models: BTreeSet::from([model.to_owned()]),
            },
            RecordError::Invalid { .. }
            | RecordError::UnknownModel { .. }
            | RecordError::Denied { .. }
            | RecordError::FunctionDenied { .. }
            | RecordError::ValuesDenied { .. }
            | RecordError::NotFound { .. }
            | RecordError::VersionConflict { .. }
            | RecordError::Busy(_)
            | RecordError::Outdated
            | RecordError::TimedOut
            | RecordError::Store(_) => Self::Nothing,
        }
    }
}

fn keys(record: &Value) -> Vec<String> {
    let fields = record.as_object();
    fields.map_or_else(Vec::new, |fields| fields.keys().cloned().collect())
}

fn changed(record: &Value) -> Vec<String> {
    let changes = record.get("changes").and_then(Value::as_array);
    let fields = changes.into_iter().flatten();
    let fields = fields.filter_map(|change| change.get("field")?.as_str());
    fields.map(str::to_owned).collect()
}
