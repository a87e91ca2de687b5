use std::fmt;

use crate::StoreError;

/// One change of the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationStep {
    /// A new model.
    CreateModel {
        /// The model.
        model: String,
    },
    /// A new field.
    AddField {
        /// The model.
        model: String,
        /// The field.
        field: String,
    },
    /// A field whose values stay.
    ChangeField {
        /// The model.
        model: String,
        /// The field.
        field: String,
    },
    /// A field that goes, with its values.
    DropField {
        /// The model.
        model: String,
        /// The field.
        field: String,
    },
    /// A model that goes, with its records.
    DropModel {
        /// The model.
        model: String,
    },
}

impl fmt::Display for MigrationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CreateModel { model } => write!(f, "create model `{model}`"),
            Self::AddField { model, field } => write!(f, "add field `{field}` to `{model}`"),
            Self::ChangeField { model, field } => write!(f, "change field `{field}` of `{model}`"),
            Self::DropField { model, field } => write!(f, "drop field `{field}` of `{model}`"),
            Self::DropModel { model } => write!(f, "drop model `{model}`"),
        }
    }
}

/// Why the tables were left as they were.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// Data would be lost, and that was not allowed.
    #[error("the models lose data; allow it with --allow-data-loss:\n{}", losses.join("\n"))]
    DataLoss {
        /// What would be lost.
        losses: Vec<String>,
    },
    /// What is stored does not fit the models.
    #[error("the stored records don't fit the models:\n{}", reasons.join("\n"))]
    Blocked {
        /// What does not fit, and what to do.
        reasons: Vec<String>,
    },
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
