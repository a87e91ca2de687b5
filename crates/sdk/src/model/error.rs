use std::fmt;
use std::time::Duration;

use http::StatusCode;

/// The most of a provider's error body that an error carries, in characters.
const BODY: usize = 250;

/// Why a model call gave no answer.
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
    /// 408, 504, or nothing came in time.
    Timeout,
    /// 5xx, 529, or no connection.
    Unavailable,
    /// The answer broke off or could not be read.
    Broken,
    /// The call was cancelled.
    Cancelled,
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
        let kind = match status.as_u16() {
            401 | 403 => ModelErrorKind::Auth,
            429 => ModelErrorKind::RateLimited { retry_after },
            408 | 504 => ModelErrorKind::Timeout,
            500..=599 => ModelErrorKind::Unavailable,
            _ => ModelErrorKind::Invalid,
        };
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
            | ModelErrorKind::Unavailable => true,
            ModelErrorKind::Auth
            | ModelErrorKind::Invalid
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
            ModelErrorKind::Broken => "broke off its answer",
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
