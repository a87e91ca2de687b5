use std::error::Error as _;
use std::sync::OnceLock;
use std::time::Duration;

use futures_util::StreamExt;

use super::{HttpRequest, HttpResponse, ResponseFuture, Transport, TransportError};

/// The default transport: pooled connections, TLS by rustls, no redirects, no proxies.
#[derive(Clone, Debug)]
pub struct HttpTransport {
    client: reqwest::Client,
}

impl HttpTransport {
    /// A transport with its own pool of connections.
    ///
    /// # Errors
    /// When TLS can't be set up on this machine.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the guarded transport that the others use"
    )]
    pub fn new() -> Result<Self, TransportError> {
        static PROVIDER: OnceLock<()> = OnceLock::new();
        PROVIDER.get_or_init(|| {
            // Refused only when the program has installed one itself, which is as good.
            drop(rustls::crypto::ring::default_provider().install_default());
        });
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(Duration::from_secs(10))
            .pool_idle_timeout(Duration::from_secs(60))
            .tcp_nodelay(true)
            .build()
            .map_err(|error| TransportError::Connect(text(&error)))?;
        Ok(Self { client })
    }
}

impl Transport for HttpTransport {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let timeout = request.timeout;
            let sent = self
                .client
                .request(request.method, &request.url)
                .headers(request.headers)
                .body(request.body)
                .send();
            let response = tokio::time::timeout(timeout, sent)
                .await
                .map_err(|_| TransportError::Timeout)?
                .map_err(|error| map(&error))?;
            let (status, headers) = (response.status(), response.headers().clone());
            let body = response
                .bytes_stream()
                .map(|chunk| chunk.map_err(|error| map(&error)));
            Ok(HttpResponse {
                status,
                headers,
                body: Box::pin(body),
            })
        })
    }
}

fn map(error: &reqwest::Error) -> TransportError {
    if error.is_timeout() {
        TransportError::Timeout
    } else if error.is_connect() || error.is_builder() {
        TransportError::Connect(text(error))
    } else {
        TransportError::Broken(text(error))
    }
}

/// The innermost cause: the outer ones repeat the URL, which may hold a key.
fn text(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if error.source().is_none() {
        "request could not be made".to_owned()
    } else {
        cause.to_string()
    }
}
