use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::{BodyExt, Full};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore};

use super::{HttpRequest, HttpResponse, ResponseFuture, Transport, TransportError};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a connection that nobody uses is kept.
const IDLE: Duration = Duration::from_secs(60);

type Plain = Client<HttpConnector, Full<Bytes>>;
type Secure = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// The default transport: pooled HTTP/1.1 connections, TLS by rustls with ring and the machine's
/// own certificates; no redirects, no proxies.
///
/// ```
/// use std::sync::Arc;
/// use toolcrib::transport::{HttpTransport, Transport};
///
/// let transport: Arc<dyn Transport> = Arc::new(HttpTransport::new()?);
/// # Ok::<(), toolcrib::transport::TransportError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HttpTransport {
    plain: Plain,
    /// Made when it is first needed: reading the machine's certificates takes a while.
    secure: OnceLock<Secure>,
}

impl HttpTransport {
    /// A transport with its own pool of connections.
    ///
    /// # Errors
    /// None today; a transport of another kind may not come up on every machine.
    pub fn new() -> Result<Self, TransportError> {
        let plain = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector());
        Ok(Self {
            plain,
            secure: OnceLock::new(),
        })
    }

    fn secure(&self) -> Result<&Secure, TransportError> {
        if let Some(client) = self.secure.get() {
            return Ok(client);
        }
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(secure_connector()?);
        Ok(self.secure.get_or_init(|| client))
    }
}

fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_connect_timeout(Some(CONNECT));
    connector.set_nodelay(true);
    connector.enforce_http(false);
    connector
}

fn secure_connector() -> Result<HttpsConnector<HttpConnector>, TransportError> {
    let mut roots = RootCertStore::empty();
    // A certificate that can't be read trusts nobody; the others count.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = rustls::crypto::ring::default_provider();
    let config = ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .map_err(|error| TransportError::Connect(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(hyper_rustls::HttpsConnectorBuilder::new()
        .with_tls_config(config)
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector()))
}

impl Transport for HttpTransport {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let timeout = request.timeout;
            let mut sent = http::Request::new(Full::new(request.body));
            *sent.method_mut() = request.method;
            *sent.headers_mut() = request.headers;
            *sent.uri_mut() = request
                .url
                .parse()
                .map_err(|_| TransportError::Connect("the URL is not one".to_owned()))?;
            let response = if sent.uri().scheme_str() == Some("https") {
                self.secure()?.request(sent)
            } else {
                self.plain.request(sent)
            };
            let response = tokio::time::timeout(timeout, response)
                .await
                .map_err(|_| TransportError::Timeout)?
                .map_err(|error| map(&error))?;
            let (parts, body) = response.into_parts();
            let body = body
                .into_data_stream()
                .map(|chunk| chunk.map_err(|error| TransportError::Broken(innermost(&error))));
            Ok(HttpResponse {
                status: parts.status,
                headers: parts.headers,
                body: Box::pin(body),
            })
        })
    }
}

fn map(error: &Error) -> TransportError {
    if error.is_connect() {
        TransportError::Connect(innermost(error))
    } else {
        TransportError::Broken(innermost(error))
    }
}

/// The innermost cause says what happened; those around it say where in the client.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
