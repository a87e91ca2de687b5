use std::fmt;

use super::GenerateResult;
use crate::message::PairingError;
use crate::model::ModelError;
use crate::read::Problem;

/// Why a generation gave no answer; with all that had been done until then.
///
/// What [`Client::generate`](crate::Client::generate) fails with.
#[derive(Debug, thiserror::Error)]
pub struct GenerateError {
    #[source]
    kind: GenerateErrorKind,
    partial: Box<GenerateResult>,
}

/// The kinds of failure of a generation.
///
/// Told by [`GenerateError::kind`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateErrorKind {
    /// A model call failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model asked for a tool that nobody knows.
    #[error("invalid request: {0}")]
    InvalidRequest(String),
    /// A tool is defined, and nobody runs it.
    #[error("the tool {0} has no executor: neither a handler nor an executor callback runs it")]
    MissingExecutor(String),
    /// A tool ended the run.
    #[error("a tool ended the run: {reason}")]
    Aborted {
        /// Why.
        reason: String,
    },
    /// The run was cancelled.
    #[error("the run was cancelled")]
    Cancelled,
    /// The final answer has not the shape that was asked for.
    #[error("the answer has not the shape that was asked for: {}", list(problems))]
    Output {
        /// The answer.
        text: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
    /// The model will not answer, where an answer of a certain shape was asked for.
    #[error("the model will not answer: {text}")]
    Refused {
        /// Its words.
        text: String,
    },
    /// What has to be sent is more than the model can read, also after everything that could be
    /// cut was cut.
    #[error("about {needed} tokens are needed, and the model reads {available}")]
    ContextOverflow {
        /// Tokens needed, estimated.
        needed: u64,
        /// Tokens that there is room for.
        available: u64,
    },
    /// The transcript is not whole.
    #[error("the transcript is not whole: {0}")]
    Transcript(#[from] PairingError),
}

impl GenerateError {
    pub(super) fn new(kind: GenerateErrorKind, partial: GenerateResult) -> Self {
        Self {
            kind,
            partial: Box::new(partial),
        }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &GenerateErrorKind {
        &self.kind
    }

    /// What had been done until then. Its transcript is whole, each call with its result, unless it
    /// came in otherwise: a request or a kept run that is refused for that is left as it was.
    #[must_use]
    pub fn partial(&self) -> &GenerateResult {
        &self.partial
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

fn list(problems: &[Problem]) -> String {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    problems.join("; ")
}
