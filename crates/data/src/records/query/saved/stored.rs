//! Queries that people saved: read as a file is, with the same checks and another telling of places.

use std::sync::Arc;

use serde_json::Value;

use super::file::read_query;
use super::overseer::overseer;
use super::{SavedQueries, SavedQuery};
use crate::records::access::Access;
use crate::records::catalog::Catalog;
use crate::records::error::{Problem, RecordError, settle};
use crate::records::files::reader::FileReader;
use crate::records::files::yaml::{Kind, Node, Place};

impl SavedQuery {
    /// Reads what a file of a query would hold, for a user: what the user may not read is as if it
    /// did not exist.
    ///
    /// # Errors
    /// All problems at once, by JSON pointer.
    pub fn read(definition: &Value, access: &Access) -> Result<Self, RecordError> {
        let mut pointers = Vec::new();
        let node = placed(definition, "", &mut pointers);
        let mut found = Vec::new();
        let query = read_query(&mut FileReader::over("", &mut found), &node, access);
        let problems = found.into_iter().map(|problem| {
            let at = pointers.get(problem.column).cloned().unwrap_or_default();
            Problem::new(at, problem.message)
        });
        settle(problems.collect())?;
        query.ok_or_else(|| RecordError::one("", "is no query"))
    }
}

impl SavedQueries {
    /// These, and beside them those that people saved. One that does not fit the models any more is
    /// left out, as is one whose name a file has taken since.
    #[must_use]
    pub fn and<'d>(
        &self,
        definitions: impl IntoIterator<Item = &'d Value>,
        catalog: &Arc<Catalog>,
    ) -> Self {
        let access = overseer(catalog);
        let mut all = self.clone();
        for definition in definitions {
            match SavedQuery::read(definition, &access) {
                Ok(query) => {
                    all.queries.entry(query.name.clone()).or_insert(query);
                }
                Err(error) => tracing::warn!(%error, "a saved query is left out"),
            }
        }
        all
    }

    /// Whether a query of that name is among them, whoever may know of it.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.queries.contains_key(name)
    }
}

/// JSON as a piece of a file. Its places are numbers of pointers.
fn placed(value: &Value, pointer: &str, pointers: &mut Vec<String>) -> Node {
    let place = Place {
        line: 0,
        column: pointers.len(),
    };
    pointers.push(pointer.to_owned());
    let kind = match value {
        Value::Null => Kind::Null,
        Value::Bool(flag) => Kind::Bool(*flag),
        Value::Number(number) => Kind::Number(number.clone()),
        Value::String(text) => Kind::Text(text.clone()),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let items = items.map(|(at, item)| placed(item, &format!("{pointer}/{at}"), pointers));
            Kind::List(items.collect())
        }
        Value::Object(fields) => {
            let entry = |(key, value): (&String, &Value)| {
                let value = placed(value, &format!("{pointer}/{key}"), pointers);
                let key = Node {
                    place: value.place,
                    kind: Kind::Text(key.clone()),
                };
                (key, value)
            };
            Kind::Map(fields.iter().map(entry).collect())
        }
    };
    Node { place, kind }
}
