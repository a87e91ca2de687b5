//! The port through which providers speak HTTP; embedders may bring their own.

#[cfg(feature = "http")]
mod hyper_transport;

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use http::{HeaderMap, Method, StatusCode};

#[cfg(feature = "http")]
pub use hyper_transport::HttpTransport;

/// One request to a provider.
///
/// Given to a [`Transport`].
#[derive(Clone)]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// The whole URL.
    pub url: String,
    /// Headers; may hold a key, and is therefore never shown.
    pub headers: HeaderMap,
    /// The body; empty for none.
    pub body: Bytes,
    /// How long to wait for the response to begin.
    pub timeout: Duration,
}

impl HttpRequest {
    /// The URL without what may be secret in it: a name and password, and the query.
    fn shown_url(&self) -> String {
        let url = self.url.split(['?', '#']).next().unwrap_or_default();
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        format!("{scheme}://{host}/{path}")
    }
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &self.shown_url())
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A body as it arrives.
///
/// Part of an [`HttpResponse`].
pub type BodyStream = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// One response of a provider.
///
/// Given by a [`Transport`].
pub struct HttpResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: BodyStream,
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// Why no response came.
///
/// What a [`Transport`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// Nothing came in time.
    #[error("timed out")]
    Timeout,
    /// The connection could not be made.
    #[error("could not connect: {0}")]
    Connect(String),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
}

/// The future of a response.
///
/// Given by a [`Transport`].
pub type ResponseFuture<'a> =
    Pin<Box<dyn Future<Output = Result<HttpResponse, TransportError>> + Send + 'a>>;

/// Sends requests to providers.
///
/// ```
/// use std::sync::Arc;
/// use futures_util::stream;
/// use http::{HeaderMap, StatusCode};
/// use toolcrib::transport::{HttpRequest, HttpResponse, ResponseFuture, Transport};
///
/// /// Says the same to every request.
/// #[derive(Debug)]
/// struct Canned(&'static str);
///
/// impl Transport for Canned {
///     fn send(&self, _: HttpRequest) -> ResponseFuture<'_> {
///         let body = Box::pin(stream::iter([Ok(self.0.into())]));
///         let response = HttpResponse { status: StatusCode::OK, headers: HeaderMap::new(), body };
///         Box::pin(async move { Ok(response) })
///     }
/// }
///
/// let transport: Arc<dyn Transport> = Arc::new(Canned("{}"));
/// ```
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends one request; follows no redirect.
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_>;
}

#[cfg(test)]
mod tests {
    use super::HttpRequest;

    #[test]
    fn no_secret_of_a_request_is_shown() {
        let request = HttpRequest {
            method: http::Method::GET,
            url: "https://me:canary@host.test:8080/v1/models?key=canary#canary".to_owned(),
            headers: [(
                http::header::AUTHORIZATION,
                http::HeaderValue::from_static("canary"),
            )]
            .into_iter()
            .collect(),
            body: "canary".into(),
            timeout: std::time::Duration::from_secs(1),
        };
        let shown = format!("{request:?}");
        assert!(
            shown.contains("https://host.test:8080/v1/models"),
            "{shown}"
        );
        assert!(!shown.contains("canary"), "{shown}");
    }
}
