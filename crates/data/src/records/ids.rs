use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::error::{Problem, RecordError, settle};
use super::input::{Form, RecordId, one_or_many};
use super::model::{KeyType, Model};
use super::nearest::clip;
use super::values::cell::Cell;
use super::values::parse;

/// The id of a record, as it is compared and shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    Int(i64),
    /// A text, a UUID, or the parts of a key of several columns as one text.
    Text(String),
}

impl Key {
    /// The key that a cell holds, if it holds one.
    pub(crate) fn of(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Int(n) => Some(Self::Int(*n)),
            Cell::Text(text) => Some(Self::Text(text.clone())),
            Cell::Null | Cell::Real(_) | Cell::Bytes(_) => None,
        }
    }

    pub(crate) fn cell(&self) -> Cell {
        match self {
            Self::Int(n) => Cell::Int(*n),
            Self::Text(text) => Cell::Text(text.clone()),
        }
    }

    /// As it stands in an answer.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Int(n) => Value::Number((*n).into()),
            Self::Text(text) => Value::String(text.clone()),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(n) => n.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The ids that a call names, in their order.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) form: Form,
    pub(super) ids: Vec<Key>,
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
            match key(model, id) {
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
pub(super) fn key(model: &Model, id: &RecordId) -> Result<Key, String> {
    if model.id().is_none() {
        return Err(format!(
            "`{}` records have no id; find them with search_records or query_records",
            model.name
        ));
    }
    match (model.key_type(), id) {
        (KeyType::Integer, RecordId::Number(id)) => Ok(Key::Int(*id)),
        (KeyType::Integer, RecordId::Text(text)) => text
            .parse()
            .map(Key::Int)
            .map_err(|_| format!("must be an id, e.g. 42; got the string \"{}\"", clip(text))),
        (_, RecordId::Number(id)) => Ok(Key::Text(id.to_string())),
        (KeyType::Text, RecordId::Text(text)) if text.contains('\0') => {
            Err("holds a NUL character, which no id has".to_owned())
        }
        (KeyType::Text, RecordId::Text(text)) => Ok(Key::Text(text.clone())),
        (KeyType::Uuid, RecordId::Text(text)) => {
            match parse::id(KeyType::Uuid, &Value::String(text.clone()))? {
                Cell::Text(uuid) => Ok(Key::Text(uuid)),
                _ => Err("must be a UUID".to_owned()),
            }
        }
    }
}

/// A problem for each id that is there a second time.
pub(super) fn duplicates(
    ids: &[(usize, Key)],
    pointer: impl Fn(usize) -> String,
    model: &Model,
) -> Vec<Problem> {
    let mut seen: BTreeMap<&Key, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for (index, id) in ids {
        if let Some(first) = seen.insert(id, *index) {
            problems.push(Problem::new(
                pointer(*index),
                format!("{} {id} is already item {first}", model.noun(1)),
            ));
        }
    }
    problems
}
