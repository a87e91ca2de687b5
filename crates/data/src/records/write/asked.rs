use serde_json::{Map, Value};

use crate::records::error::{Problem, RecordError};
use crate::records::ids::{duplicates, key};
use crate::records::input::{Form, RecordId, UpdateInput, one_or_many};
use crate::records::model::Model;

/// What a call asks to change, before it is checked.
pub(super) struct Asked<'i> {
    pub(super) form: Form,
    pub(super) items: Vec<(&'i RecordId, &'i Map<String, Value>, Option<i64>)>,
}

impl<'i> Asked<'i> {
    pub(super) fn read(input: &'i UpdateInput) -> Result<Self, RecordError> {
        let single = input.id.is_some() || input.values.is_some() || input.version.is_some();
        let one = single.then_some(());
        let many = input
            .records
            .as_ref()
            .map(|records| records.iter().map(Some).collect::<Vec<_>>());
        let (form, items) = one_or_many(("id", one.map(|()| None)), ("records", many))?;
        let items = items.into_iter().map(|item| match item {
            Some(item) => Ok((&item.id, &item.values, item.version)),
            None => match (&input.id, &input.values) {
                (Some(id), Some(values)) => Ok((id, values, input.version)),
                (None, _) => Err(RecordError::one(
                    "",
                    "`id` is missing: an update names its record",
                )),
                (_, None) => Err(RecordError::one(
                    "",
                    "`values` is missing: give the fields to set",
                )),
            },
        });
        Ok(Self {
            form,
            items: items.collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn pointer(&self, index: usize, part: &str) -> String {
        match self.form {
            Form::One => format!("/{part}"),
            Form::Many => format!("/records/{index}/{part}"),
        }
    }

    /// What is wrong with the items beside their values.
    pub(super) fn problems(&self, model: &Model) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut ids = Vec::new();
        for (index, (id, values, version)) in self.items.iter().enumerate() {
            match key(model, id) {
                Ok(id) => ids.push((index, id)),
                Err(message) => problems.push(Problem::new(self.pointer(index, "id"), message)),
            }
            if values.is_empty() {
                problems.push(Problem::new(
                    self.pointer(index, "values"),
                    "is empty; give the fields to set",
                ));
            }
            if version.is_some() && !model.versioned {
                problems.push(Problem::new(
                    self.pointer(index, "version"),
                    format!("`{}` records have no version", model.name),
                ));
            }
        }
        problems.extend(duplicates(&ids, |index| self.pointer(index, "id"), model));
        problems
    }
}
