use std::fmt;

use serde::{Deserialize, Serialize};

/// What can be done with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// See them.
    Read,
    /// Make new ones.
    Create,
    /// Change them.
    Update,
    /// Remove them.
    Delete,
    /// Take many out at once, as a file.
    Export,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Create,
        Self::Update,
        Self::Delete,
        Self::Export,
    ];

    /// As it is written in files and sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Export => "export",
        }
    }

    /// The operation of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
