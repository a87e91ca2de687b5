use std::fmt;

use super::functions::ModelFunction;
use super::rights::Operation;
use crate::StoreError;

/// One thing that is wrong with what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the input, as a JSON pointer.
    pub pointer: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Problem {
    pub(super) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

/// Why a record tool did not do what was asked. What it displays is for the language model.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The input doesn't fit the model; all problems at once.
    #[error("{}", list(problems))]
    Invalid {
        /// What is wrong.
        problems: Vec<Problem>,
    },
    /// There is no such model, or none that the user may know of.
    #[error("unknown model `{name}`{hint}")]
    UnknownModel {
        /// The name that was asked for.
        name: String,
        /// What may have been meant, among what the user may use.
        hint: String,
    },
    /// The user may not do this with any record of the model.
    #[error("you may not {operation} `{model}` records")]
    Denied {
        /// What was tried.
        operation: Operation,
        /// The model.
        model: String,
    },
    /// The user may not use this function with any record of the model.
    #[error("you may not {function} `{model}` records")]
    FunctionDenied {
        /// What was tried.
        function: ModelFunction,
        /// The model.
        model: String,
    },
    /// The user may read the record but not do this with it.
    #[error("{}you may not {operation} {record}", item(*index))]
    RecordDenied {
        /// What was tried.
        operation: Operation,
        /// The record, in words.
        record: String,
        /// The item of the batch.
        index: Option<usize>,
    },
    /// The record would come to be one that the user may not write.
    #[error("{}you may not {operation} a `{model}` record with these values: they lie outside of what your role may {operation}", item(*index))]
    ValuesDenied {
        /// What was tried.
        operation: Operation,
        /// The model.
        model: String,
        /// The item of the batch.
        index: Option<usize>,
    },
    /// There is no such record, or none that the user may read.
    #[error("{}no record found", item(*index))]
    NotFound {
        /// The item of the batch.
        index: Option<usize>,
    },
    /// The record was saved since it was read.
    #[error("{}the record has been changed since you read it; read it again", item(*index))]
    VersionConflict {
        /// The item of the batch.
        index: Option<usize>,
    },
    /// The database holds something that stands against it.
    #[error("{}{message}", item(*index))]
    Constraint {
        /// The item of the batch.
        index: Option<usize>,
        /// What stands against it, in the words of the model.
        message: String,
    },
    /// What was approved is not what is there now.
    #[error("not done, because something has changed since it was approved: {changes}")]
    Stale {
        /// What has changed, in words.
        changes: String,
    },
    /// Somebody else is at the same records.
    #[error("somebody else is changing these records just now; nothing was changed, try again")]
    Busy(Busy),
    /// The database is no longer as its models say.
    #[error(
        "the database no longer fits its data model; nothing was changed. An administrator sees with `toolcrib models sync` what is different"
    )]
    Outdated,
    /// The database took too long.
    #[error("the database took too long; ask for less at a time")]
    TimedOut,
    /// Storage failed; the details are for logs alone.
    #[error("the database could not do this now; nothing was changed")]
    Store(#[from] StoreError),
}

/// How somebody else stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// A lock was not let go of in time.
    Locked,
    /// The database undid this so that the other could go on: it may be tried again.
    Conflict,
}

impl RecordError {
    pub(super) fn one(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid {
            problems: vec![Problem::new(pointer, message)],
        }
    }
}

/// Ok, or all problems as one error.
pub(super) fn settle(problems: Vec<Problem>) -> Result<(), RecordError> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(RecordError::Invalid { problems })
    }
}

/// The list stops here, since a bad batch can have thousands.
const LISTED: usize = 50;

fn list(problems: &[Problem]) -> String {
    let mut lines: Vec<String> = problems
        .iter()
        .take(LISTED)
        .map(ToString::to_string)
        .collect();
    if problems.len() > LISTED {
        lines.push(format!("… and {} more problems", problems.len() - LISTED));
    }
    lines.join("\n")
}

fn item(index: Option<usize>) -> String {
    index.map_or_else(String::new, |index| format!("item {index}: "))
}
