use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::id::CallId;
use crate::message::{AssistantMessage, AssistantPart, ProviderBlob, ToolCall};
use crate::model::http::wire::{Decoder, Flow, Wire, WireError};
use crate::model::{Answer, FinishReason, ModelEvent, ModelSink, Usage};

/// The fields in which servers send what a model thinks.
const REASONING_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];

/// Puts an answer together from its pieces, whatever order and shape they come in.
///
/// Made by [`Chat`](super::Chat) for each answer; not for use by hand.
#[derive(Debug)]
pub struct ChatDecoder {
    model: String,
    text: String,
    refusal: String,
    reasoning: String,
    reasoning_field: Option<&'static str>,
    reasoning_details: Vec<Value>,
    calls: Vec<OpenCall>,
    /// The places of the calls by each id that turned up for them; there may be thousands.
    by_id: HashMap<String, usize>,
    /// The place of the newest call by its index.
    by_index: HashMap<u64, usize>,
    /// Whether anything was answered, be it nothing.
    has_choice: bool,
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
    /// What has to go back with the call, such as a signature.
    extra: Option<Value>,
}

impl ChatDecoder {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            text: String::new(),
            refusal: String::new(),
            reasoning: String::new(),
            reasoning_field: None,
            reasoning_details: Vec::new(),
            calls: Vec::new(),
            by_id: HashMap::new(),
            by_index: HashMap::new(),
            has_choice: false,
            finish: None,
            usage: None,
            ended: false,
        }
    }

    fn take(
        &mut self,
        chunk: &Value,
        message: &str,
        sink: &mut dyn ModelSink,
    ) -> Result<(), WireError> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(WireError::in_band(error));
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
        if let Some(error) = choice.get("error").filter(|error| !error.is_null()) {
            return Err(WireError::in_band(error));
        }
        self.has_choice = true;
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
        let said = |field: &str| {
            delta
                .get(field)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        for (field, text) in [
            (said("content"), &mut self.text),
            (said("refusal"), &mut self.refusal),
        ] {
            if let Some(more) = field {
                text.push_str(more);
                sink.event(ModelEvent::Text(more.to_owned()));
            }
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
            None => self.begin(name, sink),
        };
        self.learn(at, index, provider_id, delta);
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
        if let Some(index) = index {
            let at = *self.by_index.get(&index)?;
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
            Some(id) => self.by_id.get(id).copied(),
            None if name.is_empty() => self.calls.len().checked_sub(1),
            None => None,
        }
    }

    fn begin(&mut self, name: &str, sink: &mut dyn ModelSink) -> usize {
        let id = CallId::mint();
        if !name.is_empty() {
            sink.event(ModelEvent::CallStarted {
                id,
                name: name.to_owned(),
            });
        }
        self.calls.push(OpenCall {
            id,
            provider_id: None,
            index: None,
            name: name.to_owned(),
            arguments: String::new(),
            extra: None,
        });
        self.calls.len() - 1
    }

    /// An id or index that comes late, or changes on the way, is one more name of the call. An id
    /// that stands for another call already is worthless: ours is sent instead.
    fn learn(&mut self, at: usize, index: Option<u64>, provider_id: Option<&str>, delta: &Value) {
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        if let Some(id) = provider_id.filter(|id| !self.by_id.contains_key(*id)) {
            self.by_id.insert(id.to_owned(), at);
            if call.provider_id.is_none() && call.arguments.is_empty() {
                call.provider_id = Some(id.to_owned());
            }
        }
        if let (None, Some(index)) = (call.index, index) {
            call.index = Some(index);
            let newest = self.by_index.entry(index).or_insert(at);
            *newest = at.max(*newest);
        }
        if let Some(extra) = delta.get("extra_content").filter(|extra| !extra.is_null()) {
            call.extra = Some(serde_json::json!({ "extra_content": extra }));
        }
    }

    fn parts(self, finish: &FinishReason) -> Vec<AssistantPart> {
        let blob = |data: Value| ProviderBlob {
            provider: super::Chat::NAME.to_owned(),
            data,
        };
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
            parts.push(AssistantPart::Reasoning {
                text: self.reasoning,
                provider: Some(blob(data.into())),
            });
        }
        if !self.text.is_empty() {
            parts.push(AssistantPart::Text {
                text: self.text,
                provider: None,
            });
        }
        if !self.refusal.is_empty() {
            parts.push(AssistantPart::Refusal { text: self.refusal });
        }
        let last = self.calls.len().saturating_sub(1);
        for (at, call) in self.calls.into_iter().enumerate() {
            let is_whole = serde_json::from_str::<Value>(&call.arguments).is_ok();
            parts.push(AssistantPart::ToolCall(ToolCall {
                id: call.id,
                provider_id: call.provider_id,
                name: call.name,
                arguments: call.arguments,
                cut: *finish == FinishReason::Length && at == last && !is_whole,
                provider: call.extra.map(blob),
            }));
        }
        parts
    }
}

impl Decoder for ChatDecoder {
    fn event(&mut self, data: &str, sink: &mut dyn ModelSink) -> Result<Flow, WireError> {
        if data.trim() == "[DONE]" {
            self.ended = true;
            return Ok(Flow::End);
        }
        if data.trim().is_empty() {
            return Ok(Flow::More);
        }
        let chunk: Value = serde_json::from_str(data)
            .map_err(|_| WireError::broken(format!("a piece of the stream is not JSON: {data}")))?;
        self.take(&chunk, "delta", sink)?;
        Ok(Flow::More)
    }

    fn whole(&mut self, body: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError> {
        let has = |field: &str| body.get(field).is_some_and(|value| !value.is_null());
        if body.pointer("/choices/0").is_none() && !has("error") {
            return Err(WireError::broken("the answer has no choices"));
        }
        self.ended = true;
        self.take(body, "message", sink)
    }

    fn finish(mut self) -> Result<Answer, WireError> {
        if !self.has_choice || (!self.ended && self.finish.is_none()) {
            return Err(WireError::cut_off());
        }
        let has_calls = !self.calls.is_empty();
        let finish = match self.finish.take() {
            // Some servers say `stop` and ask for tools all the same.
            None | Some(FinishReason::Stop) if has_calls => FinishReason::ToolCalls,
            None | Some(FinishReason::Stop) if !self.refusal.is_empty() => FinishReason::Refusal,
            None => FinishReason::Stop,
            Some(finish) => finish,
        };
        let (model, usage) = (std::mem::take(&mut self.model), self.usage);
        let message = AssistantMessage {
            parts: self.parts(&finish),
        };
        let mut answer = Answer::new(message, model);
        answer.meta.finish = finish;
        answer.meta.usage = usage;
        Ok(answer)
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
