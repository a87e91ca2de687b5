//! Data models and their records.

use std::collections::BTreeSet;

/// What an agent keeps to, by data model and operation.
#[derive(Clone, Debug, Default)]
pub struct Narrowing {
    /// These data models only.
    pub models: Option<BTreeSet<String>>,
}
