use std::time::Duration;

use serde_json::{Map, Value};

use crate::id::CallId;
use crate::message::{AssistantMessage, AssistantPart, ProviderBlob, ToolCall};
use crate::model::{
    Answer, AnswerMeta, FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelSink, Usage,
};

/// The fields in which servers send what a model thinks.
const REASONING_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];

/// Puts an answer together from its pieces, whatever order and shape they come in.
#[derive(Debug)]
pub(super) struct Assembler {
    provider: &'static str,
    model: String,
    request_id: Option<String>,
    text: String,
    reasoning: String,
    reasoning_field: Option<&'static str>,
    reasoning_details: Vec<Value>,
    calls: Vec<OpenCall>,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    ended: bool,
}

#[derive(Debug)]
struct OpenCall {
    id: CallId,
    provider_id: Option<String>,
    index: Option<u64>,
    name: String,
    arguments: String,
}

impl Assembler {
    pub(super) fn new(provider: &'static str, model: &str, request_id: Option<String>) -> Self {
        Self {
            provider,
            model: model.to_owned(),
            request_id,
            text: String::new(),
            reasoning: String::new(),
            reasoning_field: None,
            reasoning_details: Vec::new(),
            calls: Vec::new(),
            finish: None,
            usage: None,
            ended: false,
        }
    }

    /// Takes one event of a stream; answers whether it was the last.
    pub(super) fn event(
        &mut self,
        data: &str,
        sink: &mut dyn ModelSink,
    ) -> Result<bool, ModelError> {
        if data.trim() == "[DONE]" {
            self.ended = true;
            return Ok(true);
        }
        let chunk: Value = serde_json::from_str(data).map_err(|_| {
            self.error(
                ModelErrorKind::Broken,
                &format!("a piece of the stream is not JSON: {data}"),
            )
        })?;
        self.take(&chunk, "delta", sink)?;
        Ok(false)
    }

    /// Takes an answer that came whole.
    pub(super) fn whole(
        &mut self,
        body: &Value,
        sink: &mut dyn ModelSink,
    ) -> Result<(), ModelError> {
        if body.get("choices").is_none() && body.get("error").is_none() {
            return Err(self.error(ModelErrorKind::Broken, "the answer has no choices"));
        }
        self.ended = true;
        self.take(body, "message", sink)
    }

    fn take(
        &mut self,
        chunk: &Value,
        message: &str,
        sink: &mut dyn ModelSink,
    ) -> Result<(), ModelError> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(self.in_band(error));
        }
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(read_usage(usage));
        }
        if let Some(model) = chunk
            .get("model")
            .and_then(Value::as_str)
            .filter(|model| !model.is_empty())
        {
            model.clone_into(&mut self.model);
        }
        let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) else {
            return Ok(());
        };
        if let Some(delta) = choice.get(message) {
            self.reasoning(delta, sink);
            self.text(delta, sink);
            for call in delta
                .get("tool_calls")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                self.call(call, sink);
            }
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish = Some(read_finish(reason));
        }
        Ok(())
    }

    fn text(&mut self, delta: &Value, sink: &mut dyn ModelSink) {
        for field in ["content", "refusal"] {
            let Some(text) = delta
                .get(field)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
            else {
                continue;
            };
            self.text.push_str(text);
            sink.event(ModelEvent::Text(text.to_owned()));
        }
    }

    fn reasoning(&mut self, delta: &Value, sink: &mut dyn ModelSink) {
        for field in REASONING_FIELDS {
            let Some(text) = delta
                .get(field)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
            else {
                continue;
            };
            // Some servers send the same thought in both fields: the first one seen counts.
            if *self.reasoning_field.get_or_insert(field) == field {
                self.reasoning.push_str(text);
                sink.event(ModelEvent::Reasoning(text.to_owned()));
            }
        }
        if let Some(details) = delta.get("reasoning_details").and_then(Value::as_array) {
            self.reasoning_details.extend(details.iter().cloned());
        }
    }

    fn call(&mut self, delta: &Value, sink: &mut dyn ModelSink) {
        let index = delta.get("index").and_then(Value::as_u64);
        let provider_id = delta
            .get("id")
            .and_then(Value::as_str)
            .filter(|id| !id.trim().is_empty());
        let function = delta.get("function");
        let name = function
            .and_then(|function| function.get("name"))
            .and_then(Value::as_str)
            .unwrap_or_default();
        let at = match self.find(index, provider_id, name) {
            Some(at) => at,
            None => self.begin(index, provider_id, name, sink),
        };
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        if call.name.is_empty() && !name.is_empty() {
            name.clone_into(&mut call.name);
            sink.event(ModelEvent::CallStarted {
                id: call.id,
                name: name.to_owned(),
            });
        }
        let arguments = match function.and_then(|function| function.get("arguments")) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => return,
            // A few servers send the object itself.
            Some(other) => other.to_string(),
        };
        if !arguments.is_empty() {
            call.arguments.push_str(&arguments);
            sink.event(ModelEvent::CallArguments {
                id: call.id,
                delta: arguments,
            });
        }
    }

    /// The call that a piece belongs to. An id that differs from the one known at its index, or a
    /// whole new name without any id, begins another call.
    fn find(&self, index: Option<u64>, provider_id: Option<&str>, name: &str) -> Option<usize> {
        let newest = |found: &dyn Fn(&OpenCall) -> bool| self.calls.iter().rposition(found);
        if let Some(index) = index {
            let at = newest(&|call| call.index == Some(index))?;
            let known = self.calls.get(at)?;
            let other = provider_id.is_some_and(|id| {
                known
                    .provider_id
                    .as_deref()
                    .is_some_and(|known| known != id)
            });
            return (!other || name.is_empty()).then_some(at);
        }
        match provider_id {
            Some(id) => newest(&|call| call.provider_id.as_deref() == Some(id)),
            None if name.is_empty() => self.calls.len().checked_sub(1),
            None => None,
        }
    }

    fn begin(
        &mut self,
        index: Option<u64>,
        provider_id: Option<&str>,
        name: &str,
        sink: &mut dyn ModelSink,
    ) -> usize {
        let id = CallId::mint();
        // A provider id that stands for another call already is worthless: ours is sent instead.
        let taken = |id: &str| {
            self.calls
                .iter()
                .any(|call| call.provider_id.as_deref() == Some(id))
        };
        let provider_id = provider_id.filter(|id| !taken(id)).map(str::to_owned);
        if !name.is_empty() {
            sink.event(ModelEvent::CallStarted {
                id,
                name: name.to_owned(),
            });
        }
        self.calls.push(OpenCall {
            id,
            provider_id,
            index,
            name: name.to_owned(),
            arguments: String::new(),
        });
        self.calls.len() - 1
    }

    /// The whole answer, if the stream came to a positive end.
    pub(super) fn finish(self) -> Result<Answer, ModelError> {
        if !self.ended && self.finish.is_none() {
            return Err(self.error(
                ModelErrorKind::Broken,
                "the stream ended before the answer did",
            ));
        }
        let has_calls = !self.calls.is_empty();
        let finish = self.finish.unwrap_or(if has_calls {
            FinishReason::ToolCalls
        } else {
            FinishReason::Stop
        });
        let mut parts = Vec::new();
        if !self.reasoning.is_empty() || !self.reasoning_details.is_empty() {
            let mut data = Map::new();
            data.extend(
                self.reasoning_field
                    .map(|field| (field.to_owned(), Value::Null)),
            );
            if !self.reasoning_details.is_empty() {
                data.insert("reasoning_details".into(), self.reasoning_details.into());
            }
            let provider = Some(ProviderBlob {
                provider: self.provider.to_owned(),
                data: data.into(),
            });
            parts.push(AssistantPart::Reasoning {
                text: self.reasoning,
                provider,
            });
        }
        if !self.text.is_empty() {
            parts.push(AssistantPart::Text { text: self.text });
        }
        let last = self.calls.len().saturating_sub(1);
        for (at, call) in self.calls.into_iter().enumerate() {
            let is_whole = serde_json::from_str::<Value>(&call.arguments).is_ok();
            let cut = finish == FinishReason::Length && at == last && !is_whole;
            parts.push(AssistantPart::ToolCall(ToolCall {
                id: call.id,
                provider_id: call.provider_id,
                name: call.name,
                arguments: call.arguments,
                cut,
            }));
        }
        let meta = AnswerMeta {
            model: self.model,
            finish,
            usage: self.usage,
            request_id: self.request_id,
            latency_ms: 0,
            attempts: 1,
        };
        Ok(Answer {
            message: AssistantMessage { parts },
            meta,
        })
    }

    /// An error inside a stream that began with 200 counts like its status.
    fn in_band(&self, error: &Value) -> ModelError {
        let code = error
            .get("code")
            .or_else(|| error.get("status"))
            .or_else(|| error.get("type"));
        let status = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
        let word = code.and_then(Value::as_str).unwrap_or_default();
        let message = error
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let kind = match (status, word) {
            (Some(429), _) | (_, "rate_limit_exceeded" | "rate_limit_error") => {
                ModelErrorKind::RateLimited {
                    retry_after: error
                        .get("retry_after")
                        .and_then(Value::as_u64)
                        .map(Duration::from_secs),
                }
            }
            (Some(500..=599), _) | (_, "server_error" | "overloaded_error" | "overloaded") => {
                ModelErrorKind::Unavailable
            }
            (Some(401 | 403), _) => ModelErrorKind::Auth,
            _ => ModelErrorKind::Invalid,
        };
        self.error(kind, if message.is_empty() { word } else { message })
    }

    fn error(&self, kind: ModelErrorKind, body: &str) -> ModelError {
        ModelError::new(self.provider, &self.model, kind, body)
    }
}

fn read_usage(usage: &Value) -> Usage {
    let number = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    Usage {
        input_tokens: number("/prompt_tokens"),
        output_tokens: number("/completion_tokens"),
        cached_tokens: number("/prompt_tokens_details/cached_tokens"),
        reasoning_tokens: number("/completion_tokens_details/reasoning_tokens"),
    }
}

fn read_finish(reason: &str) -> FinishReason {
    match reason {
        "stop" | "end_turn" | "eos" => FinishReason::Stop,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::ToolCalls,
        "length" | "max_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Other(other.to_owned()),
    }
}

#[cfg(test)]
mod tests;
