use serde_json::Value;

use super::Responses;
use crate::id::CallId;
use crate::message::{AssistantPart, ProviderBlob, ToolCall};
use crate::model::http::wire::Wire;
use crate::model::{ModelEvent, ModelSink};

/// One item of an answer under way.
#[derive(Debug)]
pub(super) struct Item {
    kind: Kind,
    /// The provider's id of the item, which is not that of a call.
    pub(super) id: Option<String>,
    call: CallId,
    pub(super) call_id: Option<String>,
    name: String,
    /// Text, a readable thought, or arguments: what was told so far.
    said: String,
    refusal: String,
    /// The paragraph of a thought that was told last.
    paragraph: u64,
    /// The whole item as it came at its end.
    raw: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Message,
    Reasoning,
    Call,
    /// Something that is not ours to read, and is kept for the provider.
    Other,
}

/// What a piece of an item is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saying {
    Text,
    Refusal,
    Thought { paragraph: u64 },
    Arguments,
}

impl Saying {
    fn kind(self) -> Kind {
        match self {
            Self::Text | Self::Refusal => Kind::Message,
            Self::Thought { .. } => Kind::Reasoning,
            Self::Arguments => Kind::Call,
        }
    }
}

impl Item {
    pub(super) fn new() -> Self {
        Self {
            kind: Kind::Other,
            id: None,
            call: CallId::mint(),
            call_id: None,
            name: String::new(),
            said: String::new(),
            refusal: String::new(),
            paragraph: 0,
            raw: None,
        }
    }

    /// Learns what kind of item it is, and tells of a call as soon as its name is known.
    pub(super) fn learn(&mut self, item: &Value, sink: &mut dyn ModelSink) {
        let text = |field: &str| {
            item.get(field)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        self.kind = match text("type") {
            Some("message") => Kind::Message,
            Some("reasoning") => Kind::Reasoning,
            Some("function_call") => Kind::Call,
            _ => Kind::Other,
        };
        self.id = self.id.take().or_else(|| text("id").map(str::to_owned));
        if self.kind != Kind::Call {
            return;
        }
        let call_id = text("call_id").filter(|id| !id.trim().is_empty());
        self.call_id = self.call_id.take().or_else(|| call_id.map(str::to_owned));
        if let (true, Some(name)) = (self.name.is_empty(), text("name")) {
            name.clone_into(&mut self.name);
            sink.event(ModelEvent::CallStarted {
                id: self.call,
                name: name.to_owned(),
            });
        }
    }

    /// Takes a piece.
    pub(super) fn say(&mut self, saying: Saying, delta: &str, sink: &mut dyn ModelSink) {
        if self.raw.is_some() || delta.is_empty() {
            return;
        }
        if self.kind == Kind::Other {
            self.kind = saying.kind();
        }
        if let Saying::Thought { paragraph } = saying
            && paragraph != std::mem::replace(&mut self.paragraph, paragraph)
            && !self.said.is_empty()
        {
            self.told(Saying::Text, "\n\n", sink);
        }
        self.told(saying, delta, sink);
    }

    fn told(&mut self, saying: Saying, delta: &str, sink: &mut dyn ModelSink) {
        if saying == Saying::Refusal {
            self.refusal.push_str(delta);
        } else {
            self.said.push_str(delta);
        }
        let delta = delta.to_owned();
        match self.kind {
            Kind::Message => sink.event(ModelEvent::Text(delta)),
            Kind::Reasoning => sink.event(ModelEvent::Reasoning(delta)),
            Kind::Call => sink.event(ModelEvent::CallArguments {
                id: self.call,
                delta,
            }),
            Kind::Other => {}
        }
    }

    /// Takes the whole item, and tells what was not told piece by piece.
    pub(super) fn complete(&mut self, item: &Value, sink: &mut dyn ModelSink) {
        if self.raw.is_some() {
            return;
        }
        self.learn(item, sink);
        let (said, refusal) = match self.kind {
            Kind::Message => (
                texts(item, "content", "text").concat(),
                texts(item, "content", "refusal").concat(),
            ),
            Kind::Reasoning => (thought(item), String::new()),
            Kind::Call => (arguments(item), String::new()),
            Kind::Other => Default::default(),
        };
        for (whole, saying) in [(said, Saying::Text), (refusal, Saying::Refusal)] {
            let known = if saying == Saying::Refusal {
                &mut self.refusal
            } else {
                &mut self.said
            };
            let rest = whole.strip_prefix(known.as_str()).map(str::to_owned);
            match rest {
                Some(rest) if rest.is_empty() => {}
                Some(rest) => self.told(saying, &rest, sink),
                None => *known = whole,
            }
        }
        self.raw = Some(item.clone());
    }

    pub(super) fn is_call(&self) -> bool {
        self.kind == Kind::Call
    }

    pub(super) fn is_refusal(&self) -> bool {
        !self.refusal.is_empty()
    }

    /// The parts that stand for it; `keeps_id` is false where its call id is another call's.
    pub(super) fn into_parts(self, keeps_id: bool, is_cut: bool) -> Vec<AssistantPart> {
        let blob = |raw: Option<Value>| {
            raw.map(|data| ProviderBlob {
                provider: Responses::NAME.to_owned(),
                data,
            })
        };
        match self.kind {
            Kind::Message => {
                let provider = blob(self.raw);
                let refusal = AssistantPart::Refusal { text: self.refusal };
                let is_refusal =
                    matches!(&refusal, AssistantPart::Refusal { text } if !text.is_empty());
                // An empty text still stands for its item, which a thought may need after it.
                let is_text = !self.said.is_empty() || (!is_refusal && provider.is_some());
                let text = AssistantPart::Text {
                    text: self.said,
                    provider,
                };
                let text = is_text.then_some(text);
                text.into_iter()
                    .chain(is_refusal.then_some(refusal))
                    .collect()
            }
            Kind::Reasoning | Kind::Other => vec![AssistantPart::Reasoning {
                text: self.said,
                provider: blob(self.raw),
            }],
            Kind::Call => {
                let is_whole = serde_json::from_str::<Value>(&self.said).is_ok();
                let provider_id = self.call_id.filter(|_| keeps_id);
                vec![AssistantPart::ToolCall(ToolCall {
                    id: self.call,
                    name: self.name,
                    arguments: self.said,
                    cut: is_cut && !is_whole,
                    provider: blob(self.raw.filter(|_| provider_id.is_some())),
                    provider_id,
                })]
            }
        }
    }
}

fn texts<'a>(item: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    item.get(list)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|piece| piece.get(field)?.as_str())
        .collect()
}

/// The summary of a thought; servers with open models send the thought itself.
fn thought(item: &Value) -> String {
    let summary = texts(item, "summary", "text");
    if summary.is_empty() {
        texts(item, "content", "text").join("\n\n")
    } else {
        summary.join("\n\n")
    }
}

fn arguments(item: &Value) -> String {
    match item.get("arguments") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}
