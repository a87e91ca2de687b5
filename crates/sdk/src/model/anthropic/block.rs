use serde_json::{Value, json};

use super::Messages;
use crate::id::CallId;
use crate::message::{AssistantPart, ProviderBlob, ToolCall};
use crate::model::http::wire::Wire;
use crate::model::{ModelEvent, ModelSink};

/// One block of an answer under way.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Thinking {
        text: String,
        signature: String,
    },
    /// A thought that only the provider can read, as it came.
    Redacted(Value),
    Call(OpenCall),
    /// Something that was not asked for.
    Other,
}

#[derive(Debug)]
pub(super) struct OpenCall {
    id: CallId,
    pub(super) provider_id: Option<String>,
    name: String,
    /// The arguments as they came in pieces.
    written: String,
    /// The arguments as they stood at the beginning, which is all of them in a whole answer.
    given: Option<Value>,
    came_whole: bool,
}

impl Block {
    /// A block as it begins, with what it holds already.
    pub(super) fn begin(block: &Value, sink: &mut dyn ModelSink) -> Self {
        let text = |field: &str| {
            let text = block.get(field).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                tell(ModelEvent::Text, &text("text"), sink);
                Self::Text(text("text"))
            }
            Some("thinking") => {
                tell(ModelEvent::Reasoning, &text("thinking"), sink);
                Self::Thinking {
                    text: text("thinking"),
                    signature: text("signature"),
                }
            }
            Some("redacted_thinking") => Self::Redacted(block.clone()),
            Some("tool_use") => Self::Call(OpenCall::begin(text("id"), text("name"), block, sink)),
            _ => Self::Other,
        }
    }

    /// Takes a piece.
    pub(super) fn say(&mut self, delta: &Value, sink: &mut dyn ModelSink) {
        let piece = |field: &str| delta.get(field).and_then(Value::as_str).unwrap_or_default();
        match self {
            Self::Text(text) => {
                text.push_str(piece("text"));
                tell(ModelEvent::Text, piece("text"), sink);
            }
            Self::Thinking { text, signature } => {
                text.push_str(piece("thinking"));
                signature.push_str(piece("signature"));
                tell(ModelEvent::Reasoning, piece("thinking"), sink);
            }
            Self::Call(call) => {
                call.written.push_str(piece("partial_json"));
                call.tell(piece("partial_json"), sink);
            }
            Self::Redacted(_) | Self::Other => {}
        }
    }

    /// Nothing more comes; some servers give the arguments at the beginning and no pieces.
    pub(super) fn end(&mut self, sink: &mut dyn ModelSink) {
        if let Self::Call(call) = self
            && call.written.is_empty()
            && let Some(given) = call.given.as_ref().filter(|given| **given != json!({}))
        {
            call.written = given.to_string();
            call.came_whole = true;
            call.tell(&call.written, sink);
        }
    }

    /// The part that stands for it. `is_cut` says that the output limit ended the answer in it.
    pub(super) fn into_part(self, keeps_id: bool, is_cut: bool) -> Option<AssistantPart> {
        match self {
            Self::Text(text) => (!text.is_empty()).then_some(AssistantPart::Text {
                text,
                provider: None,
            }),
            Self::Thinking { text, signature } => Some(AssistantPart::Reasoning {
                text,
                provider: (!signature.is_empty())
                    .then(|| blob(json!({"type": "thinking", "signature": signature}))),
            }),
            Self::Redacted(block) => Some(AssistantPart::Reasoning {
                text: String::new(),
                provider: Some(blob(block)),
            }),
            Self::Call(call) => Some(AssistantPart::ToolCall(call.into_call(keeps_id, is_cut))),
            Self::Other => None,
        }
    }
}

impl OpenCall {
    fn begin(id: String, name: String, block: &Value, sink: &mut dyn ModelSink) -> Self {
        let call = Self {
            id: CallId::mint(),
            provider_id: Some(id).filter(|id| !id.trim().is_empty()),
            name,
            written: String::new(),
            given: block.get("input").cloned(),
            came_whole: false,
        };
        sink.event(ModelEvent::CallStarted {
            id: call.id,
            name: call.name.clone(),
        });
        call
    }

    fn tell(&self, delta: &str, sink: &mut dyn ModelSink) {
        let arguments = |delta| ModelEvent::CallArguments { id: self.id, delta };
        tell(arguments, delta, sink);
    }

    /// A whole answer closes the arguments of a cut call, so that they look whole.
    fn into_call(self, keeps_id: bool, is_cut: bool) -> ToolCall {
        let is_whole = !self.came_whole && serde_json::from_str::<Value>(&self.written).is_ok();
        let cut = is_cut && !is_whole;
        let arguments = if self.written.is_empty() && !cut {
            "{}".to_owned()
        } else {
            self.written
        };
        ToolCall {
            id: self.id,
            provider_id: self.provider_id.filter(|_| keeps_id),
            name: self.name,
            arguments,
            cut,
            provider: None,
        }
    }
}

fn tell(event: impl FnOnce(String) -> ModelEvent, delta: &str, sink: &mut dyn ModelSink) {
    if !delta.is_empty() {
        sink.event(event(delta.to_owned()));
    }
}

fn blob(data: Value) -> ProviderBlob {
    ProviderBlob {
        provider: Messages::NAME.to_owned(),
        data,
    }
}
