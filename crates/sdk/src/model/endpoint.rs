use std::fmt;
use std::time::Duration;

use super::Capabilities;

/// Where a model is reached, and how.
///
/// ```
/// use toolcrib::model::Endpoint;
///
/// let endpoint = Endpoint::new("http://127.0.0.1:11434/v1", None, "qwen2.5");
/// assert_eq!(endpoint.timeout.as_secs(), 120);
/// ```
#[derive(Clone)]
pub struct Endpoint {
    /// The base URL, up to and including the version (`/v1`, `/v1beta`).
    pub base_url: String,
    /// The key; local servers often need none.
    pub api_key: Option<String>,
    /// The model's name.
    pub model: String,
    /// How long to wait for the response to begin, and for each next piece of it.
    pub timeout: Duration,
    /// The pause before the first retry; it doubles for the next.
    pub retry_pause: Duration,
    /// What the model can do, where that differs from what is known of it.
    pub capabilities: Option<Capabilities>,
}

impl Endpoint {
    /// An endpoint with the usual limits: 120 s of patience, half a second before a retry.
    #[must_use]
    pub fn new(
        base_url: impl Into<String>,
        api_key: Option<String>,
        model: impl Into<String>,
    ) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: api_key.filter(|key| !key.is_empty()),
            model: model.into(),
            timeout: Duration::from_secs(120),
            retry_pause: Duration::from_millis(500),
            capabilities: None,
        }
    }

    /// The host of the base URL in small letters: without what stands before an `@`, which may be a
    /// secret, and without the port.
    pub(crate) fn host(&self) -> String {
        let rest = self
            .base_url
            .split_once("://")
            .map_or(self.base_url.as_str(), |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let is_port = |port: &str| port.chars().all(|c| c.is_ascii_digit());
        let host = match host.rsplit_once(':') {
            Some((host, port)) if is_port(port) => host,
            _ => host,
        };
        host.to_lowercase()
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("host", &self.host())
            .field("api_key", &self.api_key.as_ref().map(|_| "redacted"))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
