use std::collections::BTreeMap;

use serde_json::Value;

use super::error::{Problem, RecordError, settle};
use super::input::{Form, RecordId, one_or_many};
use super::model::Model;
use super::nearest::clip;

/// The ids that a call names, in their order.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) form: Form,
    pub(super) ids: Vec<i64>,
}

impl Ids {
    /// Reads `id` or `ids`.
    pub(super) fn read(
        id: Option<&RecordId>,
        ids: Option<&Vec<RecordId>>,
        model: &Model,
    ) -> Result<Self, RecordError> {
        let (form, ids) = one_or_many(("id", id), ("ids", ids.map(|ids| ids.iter().collect())))?;
        let pointer = |index: usize| match form {
            Form::One => "/id".to_owned(),
            Form::Many => format!("/ids/{index}"),
        };
        let mut problems = Vec::new();
        let mut known = Vec::new();
        for (index, id) in ids.into_iter().enumerate() {
            match key(id) {
                Ok(id) => known.push((index, id)),
                Err(message) => problems.push(Problem::new(pointer(index), message)),
            }
        }
        problems.extend(duplicates(&known, pointer, model));
        settle(problems)?;
        Ok(Self {
            form,
            ids: known.into_iter().map(|(_, id)| id).collect(),
        })
    }
}

/// The key that an id is written for.
pub(super) fn key(id: &RecordId) -> Result<i64, String> {
    match id {
        RecordId::Number(id) => Ok(*id),
        RecordId::Text(text) => text
            .parse()
            .map_err(|_| format!("must be an id, e.g. 42; got the string \"{}\"", clip(text))),
    }
}

/// A problem for each id that is there a second time.
pub(super) fn duplicates(
    ids: &[(usize, i64)],
    pointer: impl Fn(usize) -> String,
    model: &Model,
) -> Vec<Problem> {
    let mut seen: BTreeMap<i64, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for (index, id) in ids {
        if let Some(first) = seen.insert(*id, *index) {
            problems.push(Problem::new(
                pointer(*index),
                format!("{} {id} is already item {first}", model.noun(1)),
            ));
        }
    }
    problems
}

/// An id as it stands in an answer.
pub(super) fn id_json(id: i64) -> Value {
    Value::Number(id.into())
}
