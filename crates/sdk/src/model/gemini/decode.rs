use std::collections::HashSet;

use serde_json::Value;

use super::part::Part;
use crate::message::AssistantMessage;
use crate::model::http::wire::{Decoder, Flow, WireError};
use crate::model::{Answer, FinishReason, ModelErrorKind, ModelSink, Usage};

/// Puts an answer together from its chunks.
///
/// Made by [`GenerateContent`](super::GenerateContent) for each answer; not for use by hand.
#[derive(Debug)]
pub struct GenerateContentDecoder {
    model: String,
    id: Option<String>,
    parts: Vec<Part>,
    finish: Option<FinishReason>,
    /// Why the model broke off a call, in the provider's words.
    failed: Option<String>,
    usage: Option<Usage>,
    ended: bool,
}

impl GenerateContentDecoder {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            id: None,
            parts: Vec::new(),
            finish: None,
            failed: None,
            usage: None,
            ended: false,
        }
    }

    fn take(&mut self, chunk: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(WireError::in_band(error));
        }
        self.learn(chunk);
        if let Some(reason) = chunk.pointer("/promptFeedback/blockReason")
            && reason.is_string()
        {
            self.finish = Some(FinishReason::ContentFilter);
        }
        let Some(candidate) = chunk.pointer("/candidates/0") else {
            return Ok(());
        };
        let parts = candidate
            .pointer("/content/parts")
            .and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            let Some(part) = Part::read(part, sink) else {
                continue;
            };
            let rest = match self.parts.last_mut() {
                Some(last) => last.join(part),
                None => Some(part),
            };
            self.parts.extend(rest);
        }
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            self.stop(reason, candidate);
        }
        Ok(())
    }

    fn learn(&mut self, chunk: &Value) {
        let text = |field: &str| {
            let text = chunk.get(field).and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        if let Some(usage) = chunk.get("usageMetadata").filter(|usage| usage.is_object()) {
            self.usage = Some(read_usage(usage));
        }
        if let Some(model) = text("modelVersion") {
            self.model = model;
        }
        self.id = text("responseId").or_else(|| self.id.take());
    }

    fn stop(&mut self, reason: &str, candidate: &Value) {
        let says = candidate.get("finishMessage").and_then(Value::as_str);
        self.finish = Some(match reason {
            "STOP" => FinishReason::Stop,
            "MAX_TOKENS" => FinishReason::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
            | "IMAGE_SAFETY" => FinishReason::ContentFilter,
            other => {
                if matches!(
                    other,
                    "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "MALFORMED_RESPONSE"
                ) {
                    let says = says.unwrap_or_default();
                    self.failed = Some(format!("{other} {says}").trim_end().to_owned());
                }
                FinishReason::Other(other.to_owned())
            }
        });
    }
}

impl Decoder for GenerateContentDecoder {
    fn event(&mut self, data: &str, sink: &mut dyn ModelSink) -> Result<Flow, WireError> {
        if matches!(data.trim(), "" | "[DONE]") {
            return Ok(Flow::More);
        }
        let chunk: Value = serde_json::from_str(data)
            .map_err(|_| WireError::broken(format!("a piece of the stream is not JSON: {data}")))?;
        each(&chunk).try_for_each(|chunk| self.take(chunk, sink))?;
        // Counts may follow in a chunk of their own: the end is where the stream ends.
        Ok(Flow::More)
    }

    fn whole(&mut self, body: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError> {
        let answers = |chunk: &Value| {
            ["/candidates/0", "/promptFeedback", "/error"]
                .iter()
                .any(|place| chunk.pointer(place).is_some_and(|value| !value.is_null()))
        };
        if !each(body).any(answers) {
            return Err(WireError::broken("the answer has no candidates"));
        }
        each(body).try_for_each(|chunk| self.take(chunk, sink))?;
        self.ended = true;
        Ok(())
    }

    fn finish(self) -> Result<Answer, WireError> {
        if !self.ended && self.finish.is_none() {
            return Err(WireError::cut_off());
        }
        let has_calls = self.parts.iter().any(Part::is_call);
        // The model meant to call a tool and wrote no call: it may well do so if asked again.
        if let (Some(why), false) = (self.failed, has_calls) {
            return Err(WireError::new(ModelErrorKind::CutOff, why));
        }
        let finish = match self.finish {
            None | Some(FinishReason::Stop) if has_calls => FinishReason::ToolCalls,
            None => FinishReason::Stop,
            Some(finish) => finish,
        };
        let mut ids: HashSet<String> = HashSet::new();
        let parts = self.parts.into_iter().filter_map(|part| {
            // An id that stands for another call already is worthless.
            let id = part.call_id().map(str::to_owned);
            let keeps_id = id.is_some_and(|id| ids.insert(id));
            part.into_part(keeps_id)
        });
        let message = AssistantMessage {
            parts: parts.collect(),
        };
        let mut answer = Answer::new(message, self.model);
        answer.meta.finish = finish;
        answer.meta.usage = self.usage;
        answer.meta.request_id = self.id;
        Ok(answer)
    }
}

/// The chunks of a body; some gateways put one chunk, or all of them, in a list.
fn each(body: &Value) -> impl Iterator<Item = &Value> {
    match body {
        Value::Array(list) => list.as_slice(),
        other => std::slice::from_ref(other),
    }
    .iter()
}

/// Thoughts are not among the tokens of the answer there; ours counts them in.
fn read_usage(usage: &Value) -> Usage {
    let number = |name: &str| usage.get(name).and_then(Value::as_u64);
    let thoughts = number("thoughtsTokenCount");
    let output = match (number("candidatesTokenCount"), thoughts) {
        (None, None) => None,
        (written, thoughts) => {
            let written = written.unwrap_or_default();
            Some(written.saturating_add(thoughts.unwrap_or_default()))
        }
    };
    Usage {
        input_tokens: number("promptTokenCount"),
        output_tokens: output,
        cached_tokens: number("cachedContentTokenCount"),
        reasoning_tokens: thoughts,
    }
}
