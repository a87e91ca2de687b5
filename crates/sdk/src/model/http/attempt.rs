//! One request and its answer.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::Value;

use super::retry::retry_after;
use super::sse::SseDecoder;
use super::wire::{Decoder, Flow, Wire, WireError};
use super::{HttpModel, Telling};
use crate::model::{Answer, Endpoint, ModelError, ModelErrorKind, ModelRequest};
use crate::transport::{HttpRequest, HttpResponse, Transport, TransportError};

/// The largest answer that is read, in bytes.
const LARGEST_BODY: usize = 64 * 1024 * 1024;
/// How much of a refusal is read, in bytes; 250 characters of it are kept.
const LARGEST_REFUSAL: usize = 16 * 1024;
/// A key is at least this long, in bytes.
const SHORTEST_KEY: usize = 8;

pub(crate) struct Attempt<'a> {
    endpoint: &'a Endpoint,
    transport: &'a dyn Transport,
    provider: &'static str,
    authorization: Option<(header::HeaderName, String)>,
    headers: &'static [(header::HeaderName, HeaderValue)],
    timeout: Duration,
}

impl<'a> Attempt<'a> {
    pub(crate) fn new<W: Wire>(model: &'a HttpModel<W>, timeout: Duration) -> Self {
        let key = model.endpoint.api_key.as_deref();
        Self {
            endpoint: &model.endpoint,
            transport: model.transport.as_ref(),
            provider: W::NAME,
            authorization: key.map(|key| model.wire.authorization(key)),
            headers: model.wire.headers(),
            timeout,
        }
    }

    pub(super) async fn ask<W: Wire>(
        &self,
        wire: &W,
        request: &ModelRequest,
        body: Bytes,
        telling: &mut Telling<'_>,
    ) -> Result<Answer, ModelError> {
        let path = wire.path(&self.endpoint.model, request.delivery);
        let mut response = self.send(Method::POST, &path, body).await?;
        let request_id = request_id(&response.headers);
        let mut decoder = wire.decoder(&self.endpoint.model);
        if is_stream(&response.headers) {
            self.stream(&mut response, &mut decoder, telling).await?;
        } else {
            let body = self.whole(response).await?;
            let text = String::from_utf8_lossy(&body);
            self.in_one_piece(&self.without_key(&text), &mut decoder, telling)?;
        }
        let mut answer = decoder.finish().map_err(|error| self.wire_error(&error))?;
        answer.meta.request_id = answer.meta.request_id.or(request_id);
        Ok(answer)
    }

    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<HttpResponse, ModelError> {
        let base = self.endpoint.base_url.trim_end_matches('/');
        let request = HttpRequest {
            method,
            url: format!("{base}/{path}"),
            headers: self.request_headers()?,
            body,
            timeout: self.timeout,
        };
        let mut response = self
            .transport
            .send(request)
            .await
            .map_err(|error| self.transport_error(&error))?;
        if response.status.is_success() {
            return Ok(response);
        }
        let wait = retry_after(&response.headers);
        let said = self.refusal(&mut response).await;
        Err(ModelError::from_status(
            self.provider,
            &self.endpoint.model,
            response.status,
            wait,
            &self.without_key(&said),
        ))
    }

    fn request_headers(&self) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        headers.insert(
            header::USER_AGENT,
            HeaderValue::from_static(concat!("toolcrib/", env!("CARGO_PKG_VERSION"))),
        );
        for (name, value) in self.headers {
            headers.insert(name.clone(), value.clone());
        }
        if let Some((name, value)) = &self.authorization {
            let mut value = HeaderValue::from_str(value).map_err(|_| {
                self.error(
                    ModelErrorKind::Auth,
                    "the key holds characters that no header may hold",
                )
            })?;
            value.set_sensitive(true);
            headers.insert(name.clone(), value);
        }
        Ok(headers)
    }

    async fn stream(
        &self,
        response: &mut HttpResponse,
        decoder: &mut impl Decoder,
        telling: &mut Telling<'_>,
    ) -> Result<(), ModelError> {
        let mut events = SseDecoder::default();
        let mut size = 0;
        while let Some(bytes) = self.next(response).await? {
            size += bytes.len();
            events.push(bytes);
            while let Some(event) = self.next_event(&mut events)? {
                if self.event(&event, decoder, telling)? == Flow::End {
                    return Ok(());
                }
            }
            if size > LARGEST_BODY {
                return Err(self.too_large());
            }
        }
        if let Some(event) = events.finish() {
            self.event(&event, decoder, telling)?;
        }
        Ok(())
    }

    fn next_event(&self, events: &mut SseDecoder) -> Result<Option<String>, ModelError> {
        events
            .next_event()
            .map_err(|_| self.error(ModelErrorKind::Broken, "a line of the stream has no end"))
    }

    fn event(
        &self,
        data: &str,
        decoder: &mut impl Decoder,
        telling: &mut Telling<'_>,
    ) -> Result<Flow, ModelError> {
        decoder
            .event(&self.without_key(data), telling)
            .map_err(|error| self.wire_error(&error))
    }

    /// An answer in one piece; some servers send a stream under another content type.
    fn in_one_piece(
        &self,
        text: &str,
        decoder: &mut impl Decoder,
        telling: &mut Telling<'_>,
    ) -> Result<(), ModelError> {
        let looks_streamed = ["data:", "event:", ":"]
            .iter()
            .any(|beginning| text.trim_start().starts_with(beginning));
        if looks_streamed {
            let mut events = SseDecoder::default();
            events.push(Bytes::copy_from_slice(text.trim_start().as_bytes()));
            while let Some(event) = self.next_event(&mut events)? {
                if self.event(&event, decoder, telling)? == Flow::End {
                    return Ok(());
                }
            }
            if let Some(event) = events.finish() {
                self.event(&event, decoder, telling)?;
            }
            return Ok(());
        }
        if text.trim().is_empty() {
            return Err(self.error(ModelErrorKind::CutOff, "the answer is empty"));
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|_| self.error(ModelErrorKind::Broken, &format!("not JSON: {text}")))?;
        decoder
            .whole(&value, telling)
            .map_err(|error| self.wire_error(&error))
    }

    pub(super) async fn whole(&self, mut response: HttpResponse) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.next(&mut response).await? {
            body.extend_from_slice(&chunk);
            if body.len() > LARGEST_BODY {
                return Err(self.too_large());
            }
        }
        Ok(body)
    }

    /// The beginning of what a provider says when it refuses; what breaks off counts as far as it
    /// came.
    async fn refusal(&self, response: &mut HttpResponse) -> String {
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = self.next(response).await {
            body.extend_from_slice(&chunk);
            if body.len() > LARGEST_REFUSAL {
                break;
            }
        }
        beginning(&body)
    }

    /// The next piece of a body; each has to come in time.
    async fn next(&self, response: &mut HttpResponse) -> Result<Option<Bytes>, ModelError> {
        match tokio::time::timeout(self.timeout, response.body.next()).await {
            Err(_) => Err(self.error(ModelErrorKind::Timeout, "the answer stood still")),
            Ok(None) => Ok(None),
            Ok(Some(Ok(bytes))) => Ok(Some(bytes)),
            Ok(Some(Err(error))) => Err(self.transport_error(&error)),
        }
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

    fn too_large(&self) -> ModelError {
        self.error(ModelErrorKind::Broken, "the answer is larger than 64 MiB")
    }

    pub(super) fn error(&self, kind: ModelErrorKind, body: &str) -> ModelError {
        ModelError::new(
            self.provider,
            &self.endpoint.model,
            kind,
            &self.without_key(body),
        )
    }

    fn wire_error(&self, error: &WireError) -> ModelError {
        let made = self.error(error.kind, &error.text);
        match error.status {
            Some(status) => made.with_status(status),
            None => made,
        }
    }

    fn transport_error(&self, error: &TransportError) -> ModelError {
        let kind = match error {
            TransportError::Timeout => ModelErrorKind::Timeout,
            TransportError::Connect(_) => ModelErrorKind::Unavailable,
            TransportError::Broken(_) => ModelErrorKind::CutOff,
        };
        self.error(kind, &error.to_string())
    }
}

fn is_stream(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("text/event-stream"))
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    ["x-request-id", "request-id", "x-goog-request-id"]
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .map(str::to_owned)
}

pub(super) fn beginning(body: &[u8]) -> String {
    String::from_utf8_lossy(body.get(..2000).unwrap_or(body)).into_owned()
}
