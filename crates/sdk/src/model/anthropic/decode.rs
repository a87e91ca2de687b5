use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::block::Block;
use crate::message::{AssistantMessage, AssistantPart};
use crate::model::http::wire::{Decoder, Flow, WireError};
use crate::model::{Answer, FinishReason, ModelEvent, ModelSink, Usage};

/// Puts an answer together from its blocks.
///
/// Made by [`Messages`](super::Messages) for each answer; not for use by hand.
#[derive(Debug)]
pub struct MessagesDecoder {
    model: String,
    /// By their place in the answer.
    blocks: BTreeMap<u64, Block>,
    /// What was last said of each count of tokens.
    usage: Map<String, Value>,
    finish: Option<FinishReason>,
    refusal: String,
    ended: bool,
}

impl MessagesDecoder {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            blocks: BTreeMap::new(),
            usage: Map::new(),
            finish: None,
            refusal: String::new(),
            ended: false,
        }
    }

    fn take(&mut self, event: &Value, sink: &mut dyn ModelSink) -> Result<Flow, WireError> {
        let null = Value::Null;
        let part = |field: &str| event.get(field).unwrap_or(&null);
        let place = part("index").as_u64().unwrap_or_default();
        match part("type").as_str().unwrap_or_default() {
            "message_start" => self.learn(part("message")),
            "content_block_start" => {
                let block = Block::begin(part("content_block"), sink);
                self.blocks.insert(place, block);
            }
            "content_block_delta" => {
                if let Some(block) = self.blocks.get_mut(&place) {
                    block.say(part("delta"), sink);
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.blocks.get_mut(&place) {
                    block.end(sink);
                }
            }
            "message_delta" => {
                self.count(part("usage"));
                self.stop(part("delta"), sink);
            }
            "message_stop" => {
                self.ended = true;
                return Ok(Flow::End);
            }
            _ if !part("error").is_null() => return Err(WireError::in_band(part("error"))),
            _ => {}
        }
        Ok(Flow::More)
    }

    fn learn(&mut self, message: &Value) {
        let model = message.get("model").and_then(Value::as_str);
        if let Some(model) = model.filter(|model| !model.is_empty()) {
            model.clone_into(&mut self.model);
        }
        self.count(message.get("usage").unwrap_or(&Value::Null));
    }

    /// Counts that come later are those of the answer so far, and stand for the earlier ones.
    fn count(&mut self, usage: &Value) {
        let counts = usage.as_object().into_iter().flatten();
        self.usage.extend(
            counts
                .filter(|(_, count)| count.is_u64())
                .map(|(name, count)| (name.clone(), count.clone())),
        );
    }

    fn stop(&mut self, delta: &Value, sink: &mut dyn ModelSink) {
        if let Some(reason) = delta.get("stop_reason").and_then(Value::as_str) {
            self.finish = Some(read_finish(reason));
        }
        let why = delta.pointer("/stop_details/explanation");
        if let Some(why) = why.and_then(Value::as_str).filter(|why| !why.is_empty()) {
            why.clone_into(&mut self.refusal);
            sink.event(ModelEvent::Text(why.to_owned()));
        }
    }

    fn read_usage(&self) -> Option<Usage> {
        let count = |name: &str| self.usage.get(name).and_then(Value::as_u64);
        let cached = count("cache_read_input_tokens");
        let written = count("cache_creation_input_tokens");
        // What was read from the cache or put there is not in the plain count.
        let input = count("input_tokens").map(|input| {
            input
                .saturating_add(cached.unwrap_or_default())
                .saturating_add(written.unwrap_or_default())
        });
        (!self.usage.is_empty()).then_some(Usage {
            input_tokens: input,
            output_tokens: count("output_tokens"),
            cached_tokens: cached,
            reasoning_tokens: None,
        })
    }

    fn read_end(&mut self) -> FinishReason {
        let has_calls = self
            .blocks
            .values()
            .any(|block| matches!(block, Block::Call(_)));
        match self.finish.take() {
            None | Some(FinishReason::Stop) if has_calls => FinishReason::ToolCalls,
            None => FinishReason::Stop,
            Some(finish) => finish,
        }
    }
}

impl Decoder for MessagesDecoder {
    fn event(&mut self, data: &str, sink: &mut dyn ModelSink) -> Result<Flow, WireError> {
        if data.trim().is_empty() {
            return Ok(Flow::More);
        }
        let event: Value = serde_json::from_str(data)
            .map_err(|_| WireError::broken(format!("a piece of the stream is not JSON: {data}")))?;
        self.take(&event, sink)
    }

    fn whole(&mut self, body: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError> {
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            return Err(WireError::in_band(error));
        }
        let Some(blocks) = body.get("content").and_then(Value::as_array) else {
            return Err(WireError::broken("the answer has no content"));
        };
        for (place, block) in (0..).zip(blocks) {
            let mut block = Block::begin(block, sink);
            block.end(sink);
            self.blocks.insert(place, block);
        }
        self.learn(body);
        self.stop(body, sink);
        self.ended = true;
        Ok(())
    }

    fn finish(mut self) -> Result<Answer, WireError> {
        if !self.ended && self.finish.is_none() {
            return Err(WireError::cut_off());
        }
        let finish = self.read_end();
        let usage = self.read_usage();
        let mut ids: HashSet<String> = HashSet::new();
        let mut parts = Vec::new();
        let last = self.blocks.last_key_value().map(|(at, _)| *at);
        for (at, block) in self.blocks {
            // An id that stands for another call already is worthless: ours is sent instead.
            let keeps_id = match &block {
                Block::Call(call) => call.provider_id.clone().is_some_and(|id| ids.insert(id)),
                _ => false,
            };
            let is_cut = finish == FinishReason::Length && Some(at) == last;
            parts.extend(block.into_part(keeps_id, is_cut));
        }
        if finish == FinishReason::Refusal {
            parts.push(AssistantPart::Refusal { text: self.refusal });
        }
        let mut answer = Answer::new(AssistantMessage { parts }, self.model);
        answer.meta.finish = finish;
        answer.meta.usage = usage;
        Ok(answer)
    }
}

fn read_finish(reason: &str) -> FinishReason {
    match reason {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::Refusal,
        other => FinishReason::Other(other.to_owned()),
    }
}
