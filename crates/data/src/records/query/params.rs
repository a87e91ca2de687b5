use std::collections::BTreeMap;

use serde_json::Value;

use crate::records::model::FieldType;

/// The parameters of a saved query, with the values of one call.
#[derive(Clone, Debug, Default)]
pub struct Params {
    values: BTreeMap<String, Param>,
}

/// One parameter: what it is, and its value when it has one.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) kind: FieldType,
    pub(crate) value: Option<Value>,
}

impl Params {
    pub(crate) fn new(values: BTreeMap<String, Param>) -> Self {
        Self { values }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Param> {
        self.values.get(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}
