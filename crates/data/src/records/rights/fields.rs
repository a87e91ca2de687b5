use std::collections::BTreeSet;

use crate::records::model::Field;

/// Which fields a grant covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum FieldList {
    /// All but the sensitive ones.
    #[default]
    All,
    /// These, sensitive or not.
    Only(BTreeSet<String>),
    /// All but these and the sensitive ones.
    Except(BTreeSet<String>),
}

impl FieldList {
    /// Whether the list covers the field. What the platform keeps is always covered.
    pub(crate) fn covers(&self, field: &Field) -> bool {
        if field.is_system() {
            return true;
        }
        match self {
            Self::All => !field.rules.sensitive,
            Self::Only(names) => names.contains(&field.name),
            Self::Except(names) => !field.rules.sensitive && !names.contains(&field.name),
        }
    }
}
