//! Functions of data models as tools of their own: which models are linked, and what of them.

mod file;
mod values;

use std::collections::BTreeSet;
use std::fmt;

use super::rights::Operation;

pub use values::values_schema;

/// A function that every data model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelFunction {
    /// Makes records.
    Create,
    /// Reads records by id.
    Read,
    /// Changes records.
    Update,
    /// Removes records.
    Delete,
    /// Finds records.
    Search,
    /// Joins, groups and calculates over records.
    Query,
}

impl ModelFunction {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Create,
        Self::Read,
        Self::Update,
        Self::Delete,
        Self::Search,
        Self::Query,
    ];

    /// As it stands in the name of its tool.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Search => "search",
            Self::Query => "query",
        }
    }

    /// The operation that a grant must allow for it.
    #[must_use]
    pub fn operation(self) -> Operation {
        match self {
            Self::Create => Operation::Create,
            Self::Update => Operation::Update,
            Self::Delete => Operation::Delete,
            Self::Read | Self::Search | Self::Query => Operation::Read,
        }
    }

    /// The name of the tool that is this function of that model.
    #[must_use]
    pub fn tool(self, model: &str) -> String {
        format!("{}_{}", model.replace('.', "_"), self.name())
    }
}

impl fmt::Display for ModelFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A data model whose functions are tools of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedModel {
    /// The model.
    pub model: String,
    /// The functions.
    pub functions: BTreeSet<ModelFunction>,
}

impl LinkedModel {
    /// The names of its tools.
    pub fn tools(&self) -> impl Iterator<Item = String> {
        self.functions
            .iter()
            .map(|function| function.tool(&self.model))
    }
}
