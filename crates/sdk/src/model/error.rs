use std::fmt;
use std::time::Duration;

use http::StatusCode;

/// The most of a provider's error body that an error carries, in characters.
const BODY: usize = 250;

/// Why a model call gave no answer.
///
/// ```
/// use http::StatusCode;
/// use toolcrib::model::{ModelError, ModelErrorKind};
///
/// let error = ModelError::from_status("openai", "big", StatusCode::BAD_GATEWAY, None, "<html>");
/// assert_eq!(error.kind, ModelErrorKind::Unavailable);
/// assert!(error.is_retryable());
/// assert_eq!(error.to_string(), "The language model big (openai) is not available (HTTP 502): <html>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ModelError {
    /// What kind of failure.
    pub kind: ModelErrorKind,
    /// The provider.
    pub provider: String,
    /// The model that was asked.
    pub model: String,
    /// The HTTP status, if a response came.
    pub status: Option<u16>,
    /// The beginning of what the provider said, at most 250 characters.
    pub body: String,
}

/// The kinds of failure of a model call.
///
/// Shown at [`ModelError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelErrorKind {
    /// 401, 403: the key is missing or wrong.
    Auth,
    /// 429: too much at once.
    RateLimited {
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// 400, 404, 422 and what else the provider will not take.
    Invalid,
    /// The transcript is longer than the model can read.
    ContextOverflow,
    /// 408, 504, or nothing came in time.
    Timeout,
    /// 5xx, 529, or no connection.
    Unavailable,
    /// The answer stopped before its end.
    CutOff,
    /// The answer could not be read.
    Broken,
    /// The call was cancelled.
    Cancelled,
}

impl ModelErrorKind {
    /// The name of the kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::RateLimited { .. } => "rate_limited",
            Self::Invalid => "invalid",
            Self::ContextOverflow => "context_overflow",
            Self::Timeout => "timeout",
            Self::Unavailable => "unavailable",
            Self::CutOff => "cut_off",
            Self::Broken => "broken",
            Self::Cancelled => "cancelled",
        }
    }

    /// The kind that a status, words of the provider and its message stand for.
    pub(crate) fn of(
        status: Option<u16>,
        words: &[&str],
        message: &str,
        retry_after: Option<Duration>,
    ) -> Self {
        let says = |known: &[&str]| words.iter().any(|word| known.contains(word));
        if matches!(status, None | Some(400 | 413 | 422)) && is_overflow(words, message) {
            return Self::ContextOverflow;
        }
        if status == Some(429)
            || says(&[
                "rate_limit_exceeded",
                "rate_limit_error",
                "RESOURCE_EXHAUSTED",
            ])
        {
            return Self::RateLimited { retry_after };
        }
        if says(&["timeout_error", "DEADLINE_EXCEEDED"]) {
            return Self::Timeout;
        }
        if says(&[
            "server_error",
            "api_error",
            "internal_server_error",
            "overloaded_error",
            "overloaded",
            "UNAVAILABLE",
            "INTERNAL",
        ]) {
            return Self::Unavailable;
        }
        if says(&[
            "authentication_error",
            "permission_error",
            "invalid_api_key",
            "UNAUTHENTICATED",
            "PERMISSION_DENIED",
        ]) {
            return Self::Auth;
        }
        match status {
            Some(401 | 403) => Self::Auth,
            Some(408 | 504) => Self::Timeout,
            Some(500..=599) => Self::Unavailable,
            _ => Self::Invalid,
        }
    }
}

/// Providers say in many ways that a transcript is too long.
fn is_overflow(words: &[&str], message: &str) -> bool {
    const SAYINGS: [&str; 6] = [
        "context_length_exceeded",
        "maximum context length",
        "context window",
        "context size",
        "prompt is too long",
        "exceeds the maximum number of tokens",
    ];
    words.contains(&"context_length_exceeded")
        || SAYINGS.iter().any(|saying| message.contains(saying))
}

impl ModelError {
    /// The error that a response status stands for.
    #[must_use]
    pub fn from_status(
        provider: &str,
        model: &str,
        status: StatusCode,
        retry_after: Option<Duration>,
        body: &str,
    ) -> Self {
        let kind = ModelErrorKind::of(Some(status.as_u16()), &[], body, retry_after);
        Self::new(provider, model, kind, body).with_status(status.as_u16())
    }

    /// An error of a kind, with what is known of it.
    #[must_use]
    pub fn new(provider: &str, model: &str, kind: ModelErrorKind, body: &str) -> Self {
        Self {
            kind,
            provider: provider.to_owned(),
            model: model.to_owned(),
            status: None,
            body: body.trim().chars().take(BODY).collect(),
        }
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Whether asking again may help.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.kind {
            ModelErrorKind::RateLimited { .. }
            | ModelErrorKind::Timeout
            | ModelErrorKind::Unavailable
            | ModelErrorKind::CutOff => true,
            ModelErrorKind::Auth
            | ModelErrorKind::Invalid
            | ModelErrorKind::ContextOverflow
            | ModelErrorKind::Broken
            | ModelErrorKind::Cancelled => false,
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ModelErrorKind::Auth => "refused the key",
            ModelErrorKind::RateLimited { .. } => "is asked too often",
            ModelErrorKind::Invalid => "did not take the request",
            ModelErrorKind::Timeout => "did not answer in time",
            ModelErrorKind::Unavailable => "is not available",
            ModelErrorKind::ContextOverflow => "can't read this much at once",
            ModelErrorKind::CutOff => "broke off its answer",
            ModelErrorKind::Broken => "gave an answer that can't be read",
            ModelErrorKind::Cancelled => "was stopped",
        };
        write!(
            f,
            "The language model {} ({}) {what}",
            self.model, self.provider
        )?;
        if let Some(status) = self.status {
            write!(f, " (HTTP {status})")?;
        }
        if !self.body.is_empty() {
            write!(f, ": {}", self.body)?;
        }
        Ok(())
    }
}
