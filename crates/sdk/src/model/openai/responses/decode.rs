use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::item::{Item, Saying};
use crate::message::AssistantMessage;
use crate::model::http::wire::{Decoder, Flow, WireError};
use crate::model::{Answer, FinishReason, ModelErrorKind, ModelSink, Usage};

/// Puts an answer together from its items.
///
/// Made by [`Responses`](super::Responses) for each answer; not for use by hand.
#[derive(Debug)]
pub struct ResponsesDecoder {
    model: String,
    /// By their place in the answer.
    items: BTreeMap<u64, Item>,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    ended: bool,
}

impl ResponsesDecoder {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            items: BTreeMap::new(),
            finish: None,
            usage: None,
            ended: false,
        }
    }

    fn take(&mut self, event: &Value, sink: &mut dyn ModelSink) -> Result<Flow, WireError> {
        let number = |field: &str| event.get(field).and_then(Value::as_u64).unwrap_or_default();
        let saying = match event.get("type").and_then(Value::as_str) {
            Some("response.output_text.delta") => Saying::Text,
            Some("response.refusal.delta") => Saying::Refusal,
            Some("response.function_call_arguments.delta") => Saying::Arguments,
            Some("response.reasoning_summary_text.delta") => Saying::Thought {
                paragraph: number("summary_index"),
            },
            Some("response.reasoning_text.delta") => Saying::Thought {
                paragraph: number("content_index"),
            },
            other => return self.milestone(other.unwrap_or_default(), event, sink),
        };
        let delta = event.get("delta").and_then(Value::as_str);
        self.item(event)
            .say(saying, delta.unwrap_or_default(), sink);
        Ok(Flow::More)
    }

    fn milestone(
        &mut self,
        name: &str,
        event: &Value,
        sink: &mut dyn ModelSink,
    ) -> Result<Flow, WireError> {
        let null = Value::Null;
        let response = event.get("response").unwrap_or(&null);
        let item = event.get("item").unwrap_or(&null);
        match name {
            "response.created" | "response.in_progress" => self.learn(response),
            "response.output_item.added" => self.item(event).learn(item, sink),
            "response.output_item.done" => self.item(event).complete(item, sink),
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.end(response, sink)?;
                return Ok(Flow::End);
            }
            _ => {
                if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
                    return Err(WireError::in_band(error));
                }
                if name == "error" {
                    return Err(WireError::in_band(event));
                }
            }
        }
        Ok(Flow::More)
    }

    /// The item that an event speaks of: by its place, else by its id, else the newest.
    fn item(&mut self, event: &Value) -> &mut Item {
        let begun = event.get("item");
        let id = event
            .get("item_id")
            .or_else(|| begun?.get("id"))
            .and_then(Value::as_str);
        let place = event
            .get("output_index")
            .and_then(Value::as_u64)
            .or_else(|| {
                let same = |item: &Item| id.is_some() && item.id.as_deref() == id;
                self.items
                    .iter()
                    .find(|(_, item)| same(item))
                    .map(|(at, _)| *at)
            })
            .unwrap_or_else(|| {
                let newest = self.items.last_key_value().map(|(at, _)| *at);
                match newest {
                    Some(at) if begun.is_some() => at + 1,
                    other => other.unwrap_or_default(),
                }
            });
        self.items.entry(place).or_insert_with(Item::new)
    }

    fn learn(&mut self, response: &Value) {
        if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(read_usage(usage));
        }
        let model = response.get("model").and_then(Value::as_str);
        if let Some(model) = model.filter(|model| !model.is_empty()) {
            model.clone_into(&mut self.model);
        }
    }

    /// Takes the whole response, as it stands at the end of a stream, or alone.
    fn end(&mut self, response: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError> {
        if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
            return Err(WireError::in_band(error));
        }
        match response.get("status").and_then(Value::as_str) {
            None | Some("completed" | "incomplete") => {}
            Some("failed") => {
                return Err(WireError::new(
                    ModelErrorKind::Unavailable,
                    "the response failed",
                ));
            }
            Some(_) => return Err(WireError::cut_off()),
        }
        self.learn(response);
        let output = response.get("output").and_then(Value::as_array);
        for (place, item) in (0..).zip(output.into_iter().flatten()) {
            let known = self.items.entry(place).or_insert_with(Item::new);
            known.complete(item, sink);
        }
        let reason = response.pointer("/incomplete_details/reason");
        self.finish = reason.and_then(Value::as_str).map(read_finish);
        self.ended = true;
        Ok(())
    }
}

impl Decoder for ResponsesDecoder {
    fn event(&mut self, data: &str, sink: &mut dyn ModelSink) -> Result<Flow, WireError> {
        match data.trim() {
            "" => return Ok(Flow::More),
            "[DONE]" => return Ok(Flow::End),
            _ => {}
        }
        let event: Value = serde_json::from_str(data)
            .map_err(|_| WireError::broken(format!("a piece of the stream is not JSON: {data}")))?;
        self.take(&event, sink)
    }

    fn whole(&mut self, body: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError> {
        let has = |field: &str| body.get(field).is_some_and(|value| !value.is_null());
        if !has("output") && !has("error") {
            return Err(WireError::broken("the answer has no output"));
        }
        self.end(body, sink)
    }

    fn finish(self) -> Result<Answer, WireError> {
        if !self.ended {
            return Err(WireError::cut_off());
        }
        let finish = match self.finish {
            Some(finish) => finish,
            None if self.items.values().any(Item::is_call) => FinishReason::ToolCalls,
            None if self.items.values().any(Item::is_refusal) => FinishReason::Refusal,
            None => FinishReason::Stop,
        };
        let mut ids: HashSet<String> = HashSet::new();
        let mut parts = Vec::new();
        let last = self.items.last_key_value().map(|(at, _)| *at);
        for (at, item) in self.items {
            // An id that stands for another call already is worthless: ours is sent instead.
            let keeps_id = item.call_id.clone().is_some_and(|id| ids.insert(id));
            let is_cut = finish == FinishReason::Length && Some(at) == last;
            parts.extend(item.into_parts(keeps_id, is_cut));
        }
        let mut answer = Answer::new(AssistantMessage { parts }, self.model);
        answer.meta.finish = finish;
        answer.meta.usage = self.usage;
        Ok(answer)
    }
}

fn read_usage(usage: &Value) -> Usage {
    let number = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    Usage {
        input_tokens: number("/input_tokens"),
        output_tokens: number("/output_tokens"),
        cached_tokens: number("/input_tokens_details/cached_tokens"),
        reasoning_tokens: number("/output_tokens_details/reasoning_tokens"),
    }
}

fn read_finish(reason: &str) -> FinishReason {
    match reason {
        "max_output_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Other(other.to_owned()),
    }
}
