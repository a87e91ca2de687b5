//! What outsiders are told: one table of code, status and title.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use toolcrib_counter::{CounterError, DecideError, SaveToolError};
use toolcrib_data::StoreError;
use toolcrib_data::records::RecordError;
use toolcrib_runtime::{
    AuditError, ChatError, DocumentError, EventError, RuntimeError, UsageError,
};
use utoipa::ToSchema;

/// Every code that a problem can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    NotSignedIn,
    LinkSpent,
    NotAllowed,
    NotFound,
    MethodNotAllowed,
    InvalidRequest,
    TooLarge,
    WrongHost,
    WrongOrigin,
    AlreadyDecided,
    StaleDecision,
    NotYoursToDecide,
    ReasonMissing,
    ArgumentsUnfit,
    VersionChanged,
    VersionMissing,
    RunActive,
    UsedUp,
    NoLanguageModel,
    LanguageModelCheck,
    SetElsewhere,
    KeyReused,
    NothingToRetry,
    NotEnded,
    Erased,
    Exists,
    OwnedByFile,
    DataLoss,
    InvalidWorkspace,
    ModelsBlocked,
    Unavailable,
    Internal,
}

impl Code {
    /// The stable code, the status, and the title.
    pub(crate) fn facts(self) -> (&'static str, StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::NotSignedIn => ("not_signed_in", S::UNAUTHORIZED, "Not signed in"),
            Self::LinkSpent => (
                "link_spent",
                S::UNAUTHORIZED,
                "The sign-in link does not hold any more",
            ),
            Self::NotAllowed => ("not_allowed", S::FORBIDDEN, "Not allowed"),
            Self::NotFound => ("not_found", S::NOT_FOUND, "Not found"),
            Self::MethodNotAllowed => (
                "method_not_allowed",
                S::METHOD_NOT_ALLOWED,
                "Not with this method",
            ),
            Self::InvalidRequest => (
                "invalid_request",
                S::UNPROCESSABLE_ENTITY,
                "The request can't be read",
            ),
            Self::TooLarge => (
                "too_large",
                S::PAYLOAD_TOO_LARGE,
                "The request is too large",
            ),
            Self::WrongHost => (
                "wrong_host",
                S::MISDIRECTED_REQUEST,
                "Not addressed to this server",
            ),
            Self::WrongOrigin => ("wrong_origin", S::FORBIDDEN, "Sent from another site"),
            Self::AlreadyDecided => ("already_decided", S::CONFLICT, "Already decided"),
            Self::StaleDecision => (
                "stale_decision",
                S::CONFLICT,
                "The request is not the one that was shown",
            ),
            Self::NotYoursToDecide => ("not_yours_to_decide", S::FORBIDDEN, "Not yours to decide"),
            Self::ReasonMissing => (
                "reason_missing",
                S::UNPROCESSABLE_ENTITY,
                "A reason is missing",
            ),
            Self::ArgumentsUnfit => (
                "arguments_unfit",
                S::UNPROCESSABLE_ENTITY,
                "The arguments are not fit",
            ),
            Self::VersionChanged => (
                "version_changed",
                S::PRECONDITION_FAILED,
                "Changed by somebody else",
            ),
            Self::VersionMissing => (
                "version_missing",
                S::PRECONDITION_REQUIRED,
                "The version is missing",
            ),
            Self::RunActive => ("run_active", S::CONFLICT, "The agent is still at work"),
            Self::UsedUp => ("used_up", S::TOO_MANY_REQUESTS, "Used up"),
            Self::NoLanguageModel => ("no_language_model", S::CONFLICT, "No language model"),
            Self::LanguageModelCheck => (
                "language_model_check",
                S::UNPROCESSABLE_ENTITY,
                "The language model did not answer",
            ),
            Self::SetElsewhere => ("set_elsewhere", S::CONFLICT, "Set elsewhere"),
            Self::KeyReused => (
                "key_reused",
                S::CONFLICT,
                "The idempotency key was used before",
            ),
            Self::NothingToRetry => ("nothing_to_retry", S::CONFLICT, "Nothing to try again"),
            Self::NotEnded => ("not_ended", S::CONFLICT, "Still under way"),
            Self::Erased => ("erased", S::CONFLICT, "Erased already"),
            Self::Exists => ("exists", S::PRECONDITION_FAILED, "It is there already"),
            Self::OwnedByFile => ("file_owned", S::CONFLICT, "A file of the folder"),
            Self::DataLoss => ("data_loss", S::CONFLICT, "Records would be lost"),
            Self::InvalidWorkspace => (
                "invalid_workspace",
                S::UNPROCESSABLE_ENTITY,
                "The workspace would not be sound",
            ),
            Self::ModelsBlocked => (
                "models_blocked",
                S::UNPROCESSABLE_ENTITY,
                "The stored records don't fit",
            ),
            Self::Unavailable => (
                "unavailable",
                S::SERVICE_UNAVAILABLE,
                "Not available just now",
            ),
            Self::Internal => ("internal", S::INTERNAL_SERVER_ERROR, "Something broke"),
        }
    }
}

/// A problem that is on its way out.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    pub(crate) detail: String,
    pub(crate) errors: Vec<FieldError>,
}

/// What is wrong with one place of a request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FieldError {
    /// JSON pointer to the place.
    pub(crate) pointer: String,
    /// What is wrong there.
    pub(crate) message: String,
    /// The place in a file of the workspace, if it is in one.
    #[serde(flatten)]
    pub(crate) place: Option<FilePlace>,
}

/// A place in a file of the workspace.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FilePlace {
    /// The file.
    pub(crate) path: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1.
    pub(crate) column: usize,
}

/// An error as clients get it (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProblemBody {
    /// Always `about:blank`; the code says which problem.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// The problem in a few words.
    pub(crate) title: &'static str,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The stable code.
    pub(crate) code: &'static str,
    /// What is wrong, and what to do.
    pub(crate) detail: String,
    /// What is wrong place by place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) errors: Vec<FieldError>,
    /// The request, as the log names it.
    pub(crate) request_id: String,
}

impl FieldError {
    /// What is wrong with the whole.
    pub(crate) fn whole(message: String) -> Self {
        Self {
            pointer: String::new(),
            message,
            place: None,
        }
    }
}

impl ApiError {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: Vec::new(),
        }
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}."))
    }

    fn with(mut self, errors: impl IntoIterator<Item = FieldError>) -> Self {
        self.errors.extend(errors);
        self
    }

    fn with_all(self, messages: Vec<String>) -> Self {
        self.with(messages.into_iter().map(FieldError::whole))
    }

    /// Trouble of our own: the log gets it, the outside does not.
    pub(crate) fn internal(error: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!(%error, "a request failed");
        if of_storage(error).is_some_and(StoreError::is_unavailable) {
            return Self::new(
                Code::Unavailable,
                "The database can't be used just now. Try again in a moment; with an Idempotency-Key nothing is done twice.",
            );
        }
        Self::new(
            Code::Internal,
            "The server could not do this. The log has the details under the request id.",
        )
    }
}

/// The trouble with storage that an error is about.
fn of_storage<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e StoreError> {
    if let Some(CounterError::Store(error)) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(RecordError::Store(error)) = error.downcast_ref() {
        return Some(error);
    }
    match error.downcast_ref() {
        Some(RuntimeError::Store(error) | RuntimeError::Counter(CounterError::Store(error))) => {
            Some(error)
        }
        _ => error.downcast_ref(),
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.code.facts().1.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::internal(&error)
    }
}

impl From<RuntimeError> for ApiError {
    fn from(error: RuntimeError) -> Self {
        Self::internal(&error)
    }
}

impl From<RecordError> for ApiError {
    fn from(error: RecordError) -> Self {
        Self::internal(&error)
    }
}

impl From<CounterError> for ApiError {
    fn from(error: CounterError) -> Self {
        match error {
            CounterError::KeyReused => Self::new(
                Code::KeyReused,
                "This Idempotency-Key was used with other arguments. Use a new one.",
            ),
            CounterError::Store(_)
            | CounterError::LeaseLost
            | CounterError::WrongState(_)
            | CounterError::BuiltIn { .. } => Self::internal(&error),
        }
    }
}

impl From<SaveToolError> for ApiError {
    fn from(error: SaveToolError) -> Self {
        let detail = sentence(&error);
        match error {
            SaveToolError::Unknown(_) => Self::not_found("tool"),
            SaveToolError::NotAllowed => Self::new(Code::NotAllowed, detail),
            SaveToolError::Unsound(_) | SaveToolError::NoVersion(_) => {
                Self::new(Code::InvalidRequest, detail)
            }
            SaveToolError::OwnedByFile(_) => Self::new(Code::OwnedByFile, detail),
            SaveToolError::Changed { .. } => Self::new(Code::VersionChanged, detail),
            SaveToolError::Store(error) => error.into(),
        }
    }
}

impl From<AuditError> for ApiError {
    fn from(error: AuditError) -> Self {
        let detail = sentence(&error);
        match error {
            AuditError::NotAllowed => Self::new(Code::NotAllowed, detail),
            AuditError::NotFound => Self::not_found("call"),
            AuditError::NotEnded => Self::new(Code::NotEnded, detail),
            AuditError::Erased => Self::new(Code::Erased, detail),
            AuditError::Reason(_) => Self::new(Code::InvalidRequest, detail),
            AuditError::Store(error) => error.into(),
        }
    }
}

impl From<EventError> for ApiError {
    fn from(error: EventError) -> Self {
        let detail = sentence(&error);
        match error {
            EventError::NotAllowed => Self::new(Code::NotAllowed, detail),
            EventError::NotFound(what) => Self::not_found(what),
            EventError::Unsound(_) => Self::new(Code::InvalidRequest, detail),
            EventError::Changed => Self::new(Code::VersionChanged, detail),
            EventError::Store(error) => error.into(),
        }
    }
}

impl From<UsageError> for ApiError {
    fn from(error: UsageError) -> Self {
        let detail = sentence(&error);
        match error {
            UsageError::NotAllowed => Self::new(Code::NotAllowed, detail),
            UsageError::NotFound => Self::not_found("policy"),
            UsageError::Unsound(_) => Self::new(Code::InvalidRequest, detail),
            UsageError::Changed => Self::new(Code::VersionChanged, detail),
            UsageError::Store(error) => error.into(),
        }
    }
}

impl From<DocumentError> for ApiError {
    fn from(error: DocumentError) -> Self {
        let detail = sentence(&error);
        let told = |code| Self::new(code, detail.clone());
        match error {
            DocumentError::Path(_) | DocumentError::TooLarge { .. } | DocumentError::TextOnly => {
                told(Code::InvalidRequest)
            }
            DocumentError::NotAllowed | DocumentError::AdminsOnly => told(Code::NotAllowed),
            DocumentError::OwnedByFile(_) => told(Code::OwnedByFile),
            DocumentError::NotFound => Self::not_found("document"),
            DocumentError::Exists => told(Code::Exists),
            DocumentError::Changed { .. } => told(Code::VersionChanged),
            DocumentError::Problems(problems) => {
                told(Code::InvalidWorkspace).with(problems.into_iter().map(|problem| FieldError {
                    pointer: "/text".to_owned(),
                    message: problem.message,
                    place: Some(FilePlace {
                        path: problem.path,
                        line: problem.line,
                        column: problem.column,
                    }),
                }))
            }
            DocumentError::Blocked(reasons) => told(Code::ModelsBlocked).with_all(reasons),
            DocumentError::DataLoss(losses) => told(Code::DataLoss).with_all(losses),
            DocumentError::Counter(error) => error.into(),
            DocumentError::Store(error) => error.into(),
        }
    }
}

impl From<ChatError> for ApiError {
    fn from(error: ChatError) -> Self {
        let detail = sentence(&error);
        match error {
            ChatError::UnknownAgent(_) | ChatError::UnknownConversation => {
                Self::new(Code::NotFound, detail)
            }
            ChatError::NoLanguageModel => Self::new(Code::NoLanguageModel, detail),
            ChatError::UsedUp(_) => Self::new(Code::UsedUp, detail),
            ChatError::RunActive => Self::new(Code::RunActive, detail),
            ChatError::Message(_) => Self::new(Code::InvalidRequest, detail),
            ChatError::NothingToRetry => Self::new(Code::NothingToRetry, detail),
            ChatError::Runtime(error) => error.into(),
        }
    }
}

impl From<DecideError> for ApiError {
    fn from(error: DecideError) -> Self {
        let detail = sentence(&error);
        match error {
            DecideError::NotFound => Self::not_found("approval"),
            DecideError::NotAllowed(_) => Self::new(Code::NotYoursToDecide, detail),
            DecideError::AlreadyDecided(_) => Self::new(Code::AlreadyDecided, detail),
            DecideError::Stale => Self::new(Code::StaleDecision, detail),
            DecideError::ReasonMissing => Self::new(Code::ReasonMissing, detail),
            DecideError::ReasonTooLong => Self::new(Code::InvalidRequest, detail),
            DecideError::Arguments(_) => Self::new(Code::ArgumentsUnfit, detail),
            DecideError::Counter(error) => error.into(),
            DecideError::Store(error) => error.into(),
        }
    }
}

/// An error's text as a sentence.
fn sentence(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first: String = letters
        .next()
        .map(|letter| letter.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
