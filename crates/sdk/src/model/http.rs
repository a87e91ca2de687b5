//! What all providers share: a request out, an answer in, retries, limits, and no key in any text.

mod attempt;
pub(crate) mod json;
pub(crate) mod replay;
mod retry;
mod sse;
#[cfg(any(feature = "anthropic", feature = "gemini"))]
pub(crate) mod turns;
pub(crate) mod wire;
mod written;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub(crate) use self::attempt::Attempt;
use self::retry::{RETRIES, pause};
use self::wire::{Encoding, Wire};
pub(crate) use self::written::{WrittenTools, wire_name};
use super::{
    Answer, Capabilities, Endpoint, Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest,
    ModelSink, RetriedAttempt,
};
use crate::dialect::Translated;
use crate::message::{AssistantPart, WireKey};
use crate::transport::Transport;

/// A model behind an HTTP endpoint, spoken to in the wire format `W`.
///
/// Named for each provider, such as [`OpenAiModel`](super::openai::OpenAiModel), which shows it.
#[derive(Clone)]
pub struct HttpModel<W> {
    wire: W,
    endpoint: Endpoint,
    capabilities: Capabilities,
    transport: Arc<dyn Transport>,
}

impl<W: Wire> fmt::Debug for HttpModel<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel")
            .field("wire", &W::NAME)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

impl<W: Wire> HttpModel<W> {
    /// A model at `endpoint`, reached through `transport`.
    #[must_use]
    pub fn new(endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        let wire = W::default();
        let capabilities = endpoint
            .capabilities
            .clone()
            .unwrap_or_else(|| wire.known(&endpoint));
        Self {
            wire,
            endpoint,
            capabilities,
            transport,
        }
    }

    /// The models that the endpoint offers; the check before a new endpoint is saved.
    ///
    /// # Errors
    /// When the endpoint does not answer with a list.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        let attempt = Attempt::new(self, std::time::Duration::from_secs(15));
        let response = attempt
            .send(Method::GET, self.wire.models_path(), Bytes::new())
            .await?;
        let status = response.status.as_u16();
        let body = attempt.whole(response).await?;
        let list: Value = serde_json::from_slice(&body).map_err(|_| {
            attempt
                .error(ModelErrorKind::Broken, &attempt::beginning(&body))
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
        // Gemini names them as resources, and takes them without that as well.
        let names = names
            .filter_map(Value::as_str)
            .map(|name| name.strip_prefix("models/").unwrap_or(name));
        Ok(names.map(str::to_owned).collect())
    }

    fn key(&self) -> WireKey {
        WireKey {
            wire: W::NAME,
            longest_name: self.capabilities.longest_tool_name,
            is_strict: self.capabilities.strict,
        }
    }

    /// What goes out, without what this model can't take.
    fn fitting(&self, request: &ModelRequest) -> ModelRequest {
        let mut request = request.clone();
        if !self.capabilities.tools {
            request.tools = crate::Definitions::default();
        }
        if !self.capabilities.tool_choice {
            request.tool_choice = super::ToolChoice::Auto;
        }
        if !self.capabilities.temperature {
            request.temperature = None;
        }
        if !self.capabilities.parallel_calls {
            request.parallel_calls = None;
        }
        request
    }
}

impl<W: Wire> Model for HttpModel<W> {
    fn provider(&self) -> &str {
        W::NAME
    }

    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    async fn respond(
        &self,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let request = self.fitting(request);
        let key = self.key();
        let tools = WrittenTools::of::<W>(&request.tools, key);
        let output = request
            .output
            .as_ref()
            .map(|output| self.wire.dialect(key).translate_output(&output.schema));
        let encoding = Encoding {
            model: &self.endpoint.model,
            capabilities: &self.capabilities,
            tools: &tools,
            output: output.as_ref(),
            key,
        };
        let body = self.wire.encode(&request, &encoding);
        let mut telling = Telling {
            inner: sink,
            tools: &tools,
            told: 0,
        };
        let mut answer = self.persist(&request, &body, &mut telling, cancel).await?;
        restore(&mut answer, &tools, output.as_ref());
        Ok(answer)
    }
}

impl<W: Wire> HttpModel<W> {
    /// Asks, and asks again where that may help. Nothing that the model asked for has run yet, so
    /// a second asking repeats nothing.
    async fn persist(
        &self,
        request: &ModelRequest,
        body: &Bytes,
        telling: &mut Telling<'_>,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let begun = Instant::now();
        let attempt = Attempt::new(self, request.timeout.unwrap_or(self.endpoint.timeout));
        let mut retried: Vec<RetriedAttempt> = Vec::new();
        loop {
            let started = Instant::now();
            let answer = tokio::select! {
                () = cancel.cancelled() => return Err(attempt.error(ModelErrorKind::Cancelled, "")),
                answer = attempt.ask(&self.wire, request, body.clone(), telling) => answer,
            };
            let error = match answer {
                Ok(mut answer) => {
                    answer.meta.latency_ms = milliseconds(begun);
                    answer.meta.attempts = u32::try_from(retried.len() + 1).unwrap_or(u32::MAX);
                    answer.meta.retried = retried;
                    return Ok(answer);
                }
                Err(error) => error,
            };
            if !error.is_retryable() || retried.len() >= RETRIES {
                return Err(error);
            }
            tracing::warn!(%error, attempt = retried.len() + 1, "the model call is tried again");
            telling.restart();
            let wait = pause(&error, self.endpoint.retry_pause, retried.len());
            retried.push(RetriedAttempt {
                error: error.to_string(),
                status: error.status,
                latency_ms: milliseconds(started),
            });
            tokio::select! {
                () = cancel.cancelled() => return Err(attempt.error(ModelErrorKind::Cancelled, "")),
                () = tokio::time::sleep(wait) => {}
            }
        }
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Puts what the provider needed otherwise back into our own terms.
fn restore(answer: &mut Answer, tools: &WrittenTools, output: Option<&Translated>) {
    for part in &mut answer.message.parts {
        match part {
            AssistantPart::ToolCall(call) => tools.restore(call),
            AssistantPart::Text { text, .. } => {
                let translated = output.filter(|output| !output.is_identity());
                let Some(translated) = translated else {
                    continue;
                };
                if let Ok(value) = serde_json::from_str(text) {
                    *text = translated.back(value).to_string();
                }
            }
            AssistantPart::Refusal { .. } | AssistantPart::Reasoning { .. } => {}
        }
    }
}

/// Tells on, in our names, and knows whether anything was told yet.
struct Telling<'a> {
    inner: &'a mut dyn ModelSink,
    tools: &'a WrittenTools,
    told: usize,
}

impl Telling<'_> {
    fn restart(&mut self) {
        if std::mem::take(&mut self.told) > 0 {
            self.inner.event(ModelEvent::Restarted);
        }
    }
}

impl ModelSink for Telling<'_> {
    fn event(&mut self, event: ModelEvent) {
        self.told += 1;
        self.inner.event(match event {
            ModelEvent::CallStarted { id, name } => ModelEvent::CallStarted {
                id,
                name: self.tools.name(&name).to_owned(),
            },
            other => other,
        });
    }
}
