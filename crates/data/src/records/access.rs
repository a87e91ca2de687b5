use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolcrib::id::{OrgId, UserId};

use super::catalog::Catalog;
use super::error::RecordError;
use super::functions::ModelFunction;
use super::model::Model;
use super::nearest::{clip, did_you_mean};
use super::rights::grant::Grant;
use super::rights::{Grants, Operation};
use crate::Clock;

/// The user on whose behalf records are touched.
#[derive(Clone, Debug)]
pub struct Subject {
    /// `${user.id}` in conditions.
    pub id: UserId,
    /// `${user.email}` in conditions.
    pub email: String,
    /// The name for people.
    pub name: String,
    /// `${user.roles}` in conditions; they say which grants hold.
    pub roles: Vec<String>,
    /// `${user.attributes.…}` in conditions.
    pub attributes: Map<String, Value>,
}

/// What an agent leaves of its user's rights; by default all.
#[derive(Clone, Debug, Default)]
pub struct Narrowing {
    /// The models that it may touch.
    pub models: Option<BTreeSet<String>>,
    /// What it may do with them.
    pub operations: Option<BTreeSet<Operation>>,
    /// What else a grant must allow for it to count.
    pub with: Option<Operation>,
}

/// Everything that says what one call may do with records.
#[derive(Clone, Debug)]
pub struct Access {
    /// The organisation.
    pub org: OrgId,
    /// Its name in the names of its tables.
    pub org_slug: String,
    /// Who asks.
    pub subject: Subject,
    /// The data models.
    pub catalog: Arc<Catalog>,
    /// What the roles may do.
    pub grants: Arc<Grants>,
    /// What the agent leaves of it.
    pub narrowing: Narrowing,
    /// What is switched off for the whole organisation.
    pub denied_operations: BTreeSet<Operation>,
    /// The functions of models that are switched off, or not for this user's roles.
    pub closed: BTreeSet<(String, ModelFunction)>,
    /// What "today" is.
    pub clock: Clock,
}

impl Access {
    /// The grants that hold for this call; none where a switch or the agent takes them away.
    pub(super) fn grants_for<'a>(&'a self, model: &'a str, operation: Operation) -> Vec<&'a Grant> {
        let with = self.narrowing.with.unwrap_or(operation);
        let narrowed = self
            .narrowing
            .operations
            .as_ref()
            .is_some_and(|left| !left.contains(&operation) || !left.contains(&with));
        let denied = &self.denied_operations;
        let denied = denied.contains(&operation) || denied.contains(&with);
        let written = matches!(
            operation,
            Operation::Create | Operation::Update | Operation::Delete
        );
        let fixed = written && self.catalog.is_read_only(model);
        if narrowed || fixed || denied || !self.leaves(model) {
            return Vec::new();
        }
        self.grants
            .of(&self.subject.roles, model, operation)
            .filter(|grant| grant.operations.contains(&with))
            .collect()
    }

    /// The same access, where only grants count that also allow `operation`: of a record and field
    /// one grant has to allow both.
    pub(super) fn with(&self, operation: Operation) -> Self {
        let mut with = self.clone();
        with.narrowing.with = Some(operation);
        with
    }

    pub(super) fn may(&self, model: &str, operation: Operation) -> bool {
        !self.grants_for(model, operation).is_empty()
    }

    /// The models of which the user may know.
    pub(super) fn known_models(&self) -> impl Iterator<Item = &Model> {
        self.catalog
            .models()
            .filter(|model| self.knows(&model.name))
    }

    /// The model, if the operation is allowed on any of its records. Losing a model altogether is a
    /// denial that names operation and model; hints name only models that the user knows.
    pub(super) fn model_for(
        &self,
        name: &str,
        operation: Operation,
    ) -> Result<&Model, RecordError> {
        let Some(model) = self.catalog.model(name) else {
            let hint = did_you_mean(name, self.known_models().map(|model| model.name.as_str()));
            return Err(RecordError::UnknownModel {
                name: clip(name),
                hint,
            });
        };
        if self.may(&model.name, operation) {
            return Ok(model);
        }
        Err(RecordError::Denied {
            operation,
            model: model.name.clone(),
        })
    }

    /// Whether a function of the model is allowed on any of its records.
    #[must_use]
    pub fn allows(&self, model: &str, function: ModelFunction) -> bool {
        self.may(model, function.operation()) && !self.closes(model, function)
    }

    /// Whether the function is switched off, or not for this user's roles.
    pub(super) fn closes(&self, model: &str, function: ModelFunction) -> bool {
        let mut closed = self.closed.iter();
        closed.any(|(name, one)| name == model && *one == function)
    }

    /// The model as [`Self::model_for`] answers with it, if also the function is allowed. Where it
    /// has a row of its own, every tool that names the model is bound by it.
    pub(super) fn function_of(
        &self,
        name: &str,
        function: ModelFunction,
    ) -> Result<&Model, RecordError> {
        let model = self.model_for(name, function.operation())?;
        if self.closes(&model.name, function) {
            let model = model.name.clone();
            return Err(RecordError::FunctionDenied { function, model });
        }
        Ok(model)
    }

    fn leaves(&self, model: &str) -> bool {
        self.narrowing
            .models
            .as_ref()
            .is_none_or(|left| left.contains(model))
    }

    /// Whether nobody can write the records of a model that the user knows: where they are, they
    /// can only be read.
    #[must_use]
    pub fn only_reads(&self, model: &str) -> bool {
        self.catalog.is_read_only(model) && self.knows(model)
    }

    /// A model is known with any grant, also one that a switch takes away: what is switched
    /// off is denied by name rather than hidden.
    pub(super) fn knows(&self, model: &str) -> bool {
        self.leaves(model)
            && Operation::ALL.into_iter().any(|operation| {
                self.grants
                    .of(&self.subject.roles, model, operation)
                    .next()
                    .is_some()
            })
    }
}
