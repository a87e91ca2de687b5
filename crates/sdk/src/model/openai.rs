//! The OpenAI-compatible chat completions wire: OpenAI itself, and the many servers that speak it.

mod assemble;
mod request;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::assemble::Assembler;
use super::sse::SseDecoder;
use super::{Answer, Model, ModelError, ModelErrorKind, ModelRequest, ModelSink};
use crate::transport::{HttpRequest, HttpResponse, Transport, TransportError};

const PROVIDER: &str = "openai";
/// The largest answer that is read, in bytes.
const LARGEST_BODY: usize = 64 * 1024 * 1024;
/// A key is at least this long, in bytes.
const SHORTEST_KEY: usize = 8;
/// How often a failed request is tried again.
const RETRIES: u32 = 2;

/// Where a model is reached, and how.
#[derive(Clone)]
pub struct Endpoint {
    /// The base URL, up to and including `/v1`.
    pub base_url: String,
    /// The key; local servers often need none.
    pub api_key: Option<String>,
    /// The model's name.
    pub model: String,
    /// How long to wait for the response to begin, and for each next piece of it.
    pub timeout: Duration,
    /// The pause before the first retry; it doubles for the next.
    pub retry_pause: Duration,
}

impl Endpoint {
    /// An endpoint with the usual limits.
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
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("base_url", &self.base_url)
            .field("api_key", &self.api_key.as_ref().map(|_| "redacted"))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// A model behind an OpenAI-compatible endpoint.
#[derive(Clone, Debug)]
pub struct OpenAiModel {
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
}

impl OpenAiModel {
    /// A model at `endpoint`, reached through `transport`.
    #[must_use]
    pub fn new(endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        Self {
            endpoint,
            transport,
        }
    }

    /// The models that the endpoint offers; the check before a new endpoint is saved.
    ///
    /// # Errors
    /// When the endpoint does not answer with a list.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        let request = self.http(Method::GET, "models", Bytes::new())?;
        let response = self
            .send(HttpRequest {
                timeout: Duration::from_secs(15),
                ..request
            })
            .await?;
        let status = response.status.as_u16();
        let body = self.whole(response).await?;
        let list: Value = serde_json::from_slice(&body).map_err(|_| {
            self.error(ModelErrorKind::Broken, &beginning(&body))
                .with_status(status)
        })?;
        let items = list
            .get("data")
            .or_else(|| list.get("models"))
            .and_then(Value::as_array);
        let names = items
            .into_iter()
            .flatten()
            .filter_map(|item| item.get("id").or_else(|| item.get("name")));
        Ok(names.filter_map(Value::as_str).map(str::to_owned).collect())
    }

    fn http(&self, method: Method, path: &str, body: Bytes) -> Result<HttpRequest, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        if let Some(key) = &self.endpoint.api_key {
            let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
                self.error(
                    ModelErrorKind::Auth,
                    "the key holds characters that no header may hold",
                )
            })?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let url = format!("{}/{path}", self.endpoint.base_url.trim_end_matches('/'));
        Ok(HttpRequest {
            method,
            url,
            headers,
            body,
            timeout: self.endpoint.timeout,
        })
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, ModelError> {
        let response = self
            .transport
            .send(request)
            .await
            .map_err(|error| self.transport_error(&error))?;
        if response.status.is_success() {
            return Ok(response);
        }
        let (status, retry_after) = (response.status, retry_after(&response.headers));
        let body = self
            .whole(response)
            .await
            .map(|body| beginning(&body))
            .unwrap_or_default();
        Err(ModelError::from_status(
            PROVIDER,
            &self.endpoint.model,
            status,
            retry_after,
            &self.without_key(&body),
        ))
    }

    /// Some servers repeat the key in what they say.
    fn without_key<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.endpoint.api_key {
            // What is shorter is no secret, and would stand in ordinary words.
            Some(key) if key.len() >= SHORTEST_KEY && text.contains(key.as_str()) => {
                Cow::Owned(text.replace(key.as_str(), "[redacted]"))
            }
            _ => Cow::Borrowed(text),
        }
    }

    async fn whole(&self, mut response: HttpResponse) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.next(&mut response).await? {
            body.extend_from_slice(&chunk);
            if body.len() > LARGEST_BODY {
                return Err(self.error(ModelErrorKind::Broken, "the answer is larger than 64 MiB"));
            }
        }
        Ok(body)
    }

    /// The next piece of a body; each has to come in time.
    async fn next(&self, response: &mut HttpResponse) -> Result<Option<Bytes>, ModelError> {
        match tokio::time::timeout(self.endpoint.timeout, response.body.next()).await {
            Err(_) => Err(self.error(ModelErrorKind::Timeout, "the stream stood still")),
            Ok(None) => Ok(None),
            Ok(Some(Ok(bytes))) => Ok(Some(bytes)),
            Ok(Some(Err(error))) => Err(self.transport_error(&error)),
        }
    }

    async fn attempt(&self, body: Bytes, sink: &mut Counting<'_>) -> Result<Answer, ModelError> {
        let request = self.http(Method::POST, "chat/completions", body)?;
        let mut response = self.send(request).await?;
        let request_id = response
            .headers
            .get("x-request-id")
            .and_then(|id| id.to_str().ok())
            .map(str::to_owned);
        let mut assembler = Assembler::new(PROVIDER, &self.endpoint.model, request_id);
        let is_stream = response
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        if is_stream {
            self.read_stream(&mut response, &mut assembler, sink)
                .await?;
        } else {
            let body = self.whole(response).await?;
            let text = String::from_utf8_lossy(&body);
            let text = self.without_key(&text);
            let value: Value = serde_json::from_str(&text)
                .map_err(|_| self.error(ModelErrorKind::Broken, &format!("not JSON: {text}")))?;
            assembler.whole(&value, sink)?;
        }
        assembler.finish()
    }

    async fn read_stream(
        &self,
        response: &mut HttpResponse,
        assembler: &mut Assembler,
        sink: &mut Counting<'_>,
    ) -> Result<(), ModelError> {
        let mut decoder = SseDecoder::default();
        let mut size = 0;
        while let Some(bytes) = self.next(response).await? {
            size += bytes.len();
            let events = decoder.push(&bytes).map_err(|_| {
                self.error(ModelErrorKind::Broken, "a line of the stream has no end")
            })?;
            if size > LARGEST_BODY {
                return Err(self.error(ModelErrorKind::Broken, "the answer is larger than 64 MiB"));
            }
            for event in events {
                if assembler.event(&self.without_key(&event), sink)? {
                    return Ok(());
                }
            }
        }
        for event in decoder.finish() {
            if assembler.event(&self.without_key(&event), sink)? {
                return Ok(());
            }
        }
        Ok(())
    }

    fn error(&self, kind: ModelErrorKind, body: &str) -> ModelError {
        ModelError::new(
            PROVIDER,
            &self.endpoint.model,
            kind,
            &self.without_key(body),
        )
    }

    fn transport_error(&self, error: &TransportError) -> ModelError {
        let kind = match error {
            TransportError::Timeout => ModelErrorKind::Timeout,
            TransportError::Connect(_) => ModelErrorKind::Unavailable,
            TransportError::Broken(_) => ModelErrorKind::Broken,
        };
        self.error(kind, &error.to_string())
    }
}

impl Model for OpenAiModel {
    fn provider(&self) -> &str {
        PROVIDER
    }

    fn name(&self) -> &str {
        &self.endpoint.model
    }

    async fn respond(
        &self,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let begun = Instant::now();
        let body = request::encode(request, &self.endpoint.model)
            .map_err(|error| self.error(ModelErrorKind::Invalid, &error.to_string()))?;
        let mut sink = Counting {
            inner: sink,
            seen: 0,
        };
        let mut attempts = 1;
        loop {
            let answer = tokio::select! {
                () = cancel.cancelled() => return Err(self.error(ModelErrorKind::Cancelled, "")),
                answer = self.attempt(body.clone(), &mut sink) => answer,
            };
            match answer {
                Ok(mut answer) => {
                    answer.meta.latency_ms =
                        u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                    answer.meta.attempts = attempts;
                    return Ok(answer);
                }
                // Once something was told to the reader, a second telling would double it.
                Err(error) if error.is_retryable() && attempts <= RETRIES && sink.seen == 0 => {
                    tracing::warn!(%error, attempts, "the model call is tried again");
                    let pause = pause(&error, self.endpoint.retry_pause, attempts);
                    tokio::select! {
                        () = cancel.cancelled() => return Err(self.error(ModelErrorKind::Cancelled, "")),
                        () = tokio::time::sleep(pause) => {}
                    }
                    attempts += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Knows whether anything was told yet.
struct Counting<'a> {
    inner: &'a mut dyn ModelSink,
    seen: usize,
}

impl ModelSink for Counting<'_> {
    fn event(&mut self, event: super::ModelEvent) {
        self.seen += 1;
        self.inner.event(event);
    }
}

/// The provider's own wish, else a doubling pause with some jitter from the call's clock.
fn pause(error: &ModelError, first: Duration, attempt: u32) -> Duration {
    if let ModelErrorKind::RateLimited {
        retry_after: Some(wait),
    } = error.kind
    {
        return wait.min(Duration::from_secs(60));
    }
    let spread = crate::id::CallId::mint()
        .to_string()
        .bytes()
        .last()
        .map_or(0, u32::from)
        % 25;
    first * 2_u32.saturating_pow(attempt - 1) * (100 + spread) / 100
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    text.trim()
        .parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn beginning(body: &[u8]) -> String {
    String::from_utf8_lossy(body.get(..2000).unwrap_or(body)).into_owned()
}
