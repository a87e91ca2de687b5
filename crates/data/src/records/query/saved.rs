//! Saved queries: `queries/*.yaml`, checked against the models when they are loaded, and run by
//! name with typed parameters.

mod file;
pub(super) mod overseer;
mod stored;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use self::overseer::overseer;
use super::input::QueryInput;
use super::params::{Param, Params};
use super::{PORTIONS, build, literal, run};
use crate::ReadFrom;
use crate::records::access::Access;
use crate::records::catalog::Catalog;
use crate::records::error::{Problem, RecordError, settle};
use crate::records::files::problem::{FileProblem, WorkspaceFile};
use crate::records::model::FieldType;
use crate::records::nearest::{clip, did_you_mean};

/// The saved queries of an organisation, by name.
#[derive(Clone, Debug, Default)]
pub struct SavedQueries {
    queries: BTreeMap<String, SavedQuery>,
}

/// A query under a name, with what it takes.
#[derive(Clone, Debug)]
pub struct SavedQuery {
    /// The name in calls.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// What it takes, in the order of the file.
    pub params: Vec<QueryParam>,
    /// What is asked.
    pub query: QueryInput,
}

/// One parameter of a saved query.
#[derive(Clone, Debug)]
pub struct QueryParam {
    /// The name in calls.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What its values are.
    pub kind: FieldType,
    /// Whether a call must give it.
    pub required: bool,
    /// The value of a call that gives none.
    pub default: Option<Value>,
}

impl SavedQueries {
    /// Reads `queries/*.yaml`, one query a file, and checks each against the models; other files
    /// are left alone.
    ///
    /// # Errors
    /// All problems of all files at once, by file and place.
    pub fn load(files: &[WorkspaceFile], catalog: &Arc<Catalog>) -> Result<Self, Vec<FileProblem>> {
        file::load(files, &overseer(catalog)).map(|queries| Self { queries })
    }

    /// The data model that the query of that name begins with.
    #[must_use]
    pub fn model_of(&self, name: &str) -> Option<&str> {
        let query = self.queries.get(name)?;
        Some(query.query.from.model.as_str())
    }

    /// All queries, by name.
    pub fn all(&self) -> impl Iterator<Item = &SavedQuery> {
        self.queries.values()
    }

    /// The queries that are about nothing but models that the user knows.
    pub fn known<'q>(&'q self, access: &'q Access) -> impl Iterator<Item = &'q SavedQuery> {
        self.all().filter(|query| query.is_known(access))
    }
}

impl SavedQuery {
    /// Whether the user knows every model that it names, also inside sub-queries.
    fn is_known(&self, access: &Access) -> bool {
        // A query is JSON as it is written; what can't be written is nobody's.
        serde_json::to_value(&self.query).is_ok_and(|query| {
            models(&query).all(|model| access.catalog.model(model).is_some() && access.knows(model))
        })
    }

    /// The values of one call, each read as its parameter says.
    fn bind(&self, given: &Map<String, Value>, now: Timestamp) -> Result<Params, RecordError> {
        let mut problems = Vec::new();
        for name in given.keys() {
            if !self.params.iter().any(|param| param.name == *name) {
                let known = self.params.iter().map(|param| param.name.as_str());
                let hint = did_you_mean(name, known);
                problems.push(Problem::new(
                    format!("/params/{}", clip(name)),
                    format!("unknown parameter `{}`{hint}", clip(name)),
                ));
            }
        }
        let mut values = BTreeMap::new();
        for param in &self.params {
            let value = given.get(&param.name).filter(|value| !value.is_null());
            let value = value.or(param.default.as_ref());
            let at = || format!("/params/{}", param.name);
            match value.map(|value| literal::check(&param.kind, value, now)) {
                Some(Err(message)) => problems.push(Problem::new(at(), message)),
                None if param.required => problems.push(Problem::new(at(), "is required")),
                _ => {}
            }
            let (kind, value) = (param.kind.clone(), value.cloned());
            values.insert(param.name.clone(), Param { kind, value });
        }
        settle(problems)?;
        Ok(Params::new(values))
    }
}

/// The models that a written query names, at any depth.
fn models(query: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match query {
        Value::Object(fields) => Box::new(fields.iter().flat_map(|(key, value)| {
            let own = value.as_str().filter(|_| key == "model");
            own.into_iter().chain(models(value))
        })),
        Value::Array(items) => Box::new(items.iter().flat_map(models)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Answers a saved query with what the user may read; `limit` is for a query that has none.
///
/// # Errors
/// When there is no such query, or the parameters don't fit it, or it uses what the user may not
/// read: what that is, is not told, since the user did not write the query.
pub async fn query_saved(
    from: &mut impl ReadFrom,
    access: &Access,
    queries: &SavedQueries,
    name: &str,
    (params, limit): (&Map<String, Value>, Option<u32>),
) -> Result<Value, RecordError> {
    let Some(saved) = queries.known(access).find(|query| query.name == name) else {
        let known = queries.known(access).map(|query| query.name.as_str());
        let hint = did_you_mean(name, known);
        return Err(RecordError::one(
            "/queryName",
            format!("unknown query `{}`{hint}", clip(name)),
        ));
    };
    let params = saved.bind(params, access.clock.now())?;
    let mut input = saved.query.clone();
    input.limit = input.limit.or(limit);
    let built = build::build(access, &input, &params).map_err(|error| told(error, name))?;
    run(from, built, PORTIONS).await
}

/// Of what is wrong with a sound query, a caller is told what is about the call.
fn told(error: RecordError, name: &str) -> RecordError {
    let RecordError::Invalid { problems } = error else {
        return error;
    };
    let is_of_call = |problem: &Problem| {
        let places = ["/params/", "/limit"];
        places.iter().any(|at| problem.pointer.starts_with(at))
    };
    if problems.iter().all(is_of_call) {
        return RecordError::Invalid { problems };
    }
    let message = format!("the query `{name}` uses records or fields that you may not read");
    RecordError::one("/queryName", message)
}

/// What is wrong with a query for who may read everything.
fn problems_of(access: &Access, query: &QueryInput, params: &Params) -> Vec<Problem> {
    match build::build(access, query, params) {
        Err(RecordError::Invalid { problems }) => problems,
        Err(other) => vec![Problem::new("", other.to_string())],
        Ok(_) => Vec::new(),
    }
}
