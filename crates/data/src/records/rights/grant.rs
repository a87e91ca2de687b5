use std::collections::BTreeSet;

use super::fields::FieldList;
use super::operation::Operation;
use crate::records::catalog::Catalog;
use crate::records::criteria::input::Criteria;
use crate::records::files::grants::load;
use crate::records::files::problem::{FileProblem, WorkspaceFile};
use crate::records::model::Field;

/// What every role may do. Nothing is allowed that no grant allows.
#[derive(Clone, Debug, Default)]
pub struct Grants {
    pub(crate) roles: Vec<Role>,
}

/// A role and what it may do.
#[derive(Clone, Debug)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) grants: Vec<Grant>,
}

/// One permission: these operations on these records, with these fields.
#[derive(Clone, Debug)]
pub(crate) struct Grant {
    pub(crate) models: Vec<ModelPattern>,
    pub(crate) operations: BTreeSet<Operation>,
    /// The records it is about; all of them when there is no condition.
    pub(crate) condition: Option<Criteria>,
    pub(crate) read_fields: FieldList,
    pub(crate) write_fields: FieldList,
}

/// The models that a grant is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModelPattern {
    /// `*`
    All,
    /// `pkg.*`, kept with its dot.
    Package(String),
    /// One model.
    Named(String),
}

impl Grants {
    /// Reads `permissions/*.yaml`, one role a file, and a role in as many as there are;
    /// other files are left alone.
    ///
    /// # Errors
    /// All problems of all files at once, by file and place.
    pub fn load(files: &[WorkspaceFile], catalog: &Catalog) -> Result<Self, Vec<FileProblem>> {
        load(files, catalog)
    }

    /// The names of the roles.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().map(|role| role.name.as_str())
    }

    /// Whether every role that may do it with any record of the model may set the field then.
    pub(crate) fn every_role_sets(&self, model: &str, operation: Operation, field: &Field) -> bool {
        self.roles.iter().all(|role| {
            let about =
                |grant: &&Grant| grant.operations.contains(&operation) && grant.is_about(model);
            let mut grants = role.grants.iter().filter(about).peekable();
            grants.peek().is_none() || grants.any(|grant| grant.write_fields.covers(field))
        })
    }

    /// The grants of the given roles that are about the model and the operation.
    pub(crate) fn of<'g>(
        &'g self,
        roles: &'g [String],
        model: &'g str,
        operation: Operation,
    ) -> impl Iterator<Item = &'g Grant> {
        self.roles
            .iter()
            .filter(|role| roles.contains(&role.name))
            .flat_map(|role| &role.grants)
            .filter(move |grant| grant.operations.contains(&operation) && grant.is_about(model))
    }
}

impl Grant {
    pub(crate) fn is_about(&self, model: &str) -> bool {
        self.models.iter().any(|pattern| pattern.matches(model))
    }
}

impl ModelPattern {
    pub(crate) fn parse(text: &str) -> Self {
        match text.strip_suffix('*') {
            Some("") => Self::All,
            Some(package) if package.ends_with('.') => Self::Package(package.to_owned()),
            _ => Self::Named(text.to_owned()),
        }
    }

    pub(crate) fn matches(&self, model: &str) -> bool {
        match self {
            Self::All => true,
            Self::Package(package) => model.starts_with(package.as_str()),
            Self::Named(name) => name == model,
        }
    }
}
