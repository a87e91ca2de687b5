//! The port through which providers speak HTTP; embedders may bring their own.

#[cfg(feature = "http")]
mod reqwest_transport;

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use http::{HeaderMap, Method, StatusCode};

#[cfg(feature = "http")]
pub use reqwest_transport::HttpTransport;

/// One request to a provider.
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

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A body as it arrives.
pub type BodyStream = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// One response of a provider.
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
pub type ResponseFuture<'a> =
    Pin<Box<dyn Future<Output = Result<HttpResponse, TransportError>> + Send + 'a>>;

/// Sends requests to providers.
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends one request; follows no redirect.
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_>;
}
