use serde_json::{Value, json};

use super::GenerateContent;
use crate::id::CallId;
use crate::message::{AssistantPart, ProviderBlob, ToolCall};
use crate::model::http::wire::Wire;
use crate::model::{ModelEvent, ModelSink};

/// One part of an answer under way.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    text: String,
    signature: Option<Value>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    Text,
    Thought,
    Call {
        id: CallId,
        provider_id: Option<String>,
        name: String,
    },
}

impl Part {
    /// Reads a part and tells of it; what was not asked for, such as a picture, is left out.
    pub(super) fn read(part: &Value, sink: &mut dyn ModelSink) -> Option<Self> {
        let signature = part
            .get("thoughtSignature")
            .filter(|it| it.is_string())
            .cloned();
        if let Some(call) = part.get("functionCall").filter(|call| call.is_object()) {
            return Some(Self::call(call, signature, sink));
        }
        let is_thought = part
            .get("thought")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        let text = match part.get("text").and_then(Value::as_str) {
            Some(text) => text,
            // A signature may come alone, for what was said before it.
            None => signature.as_ref().map(|_| "")?,
        };
        let (kind, event): (Kind, fn(String) -> ModelEvent) = if is_thought {
            (Kind::Thought, ModelEvent::Reasoning)
        } else {
            (Kind::Text, ModelEvent::Text)
        };
        if !text.is_empty() {
            sink.event(event(text.to_owned()));
        }
        Some(Self {
            kind,
            text: text.to_owned(),
            signature,
        })
    }

    fn call(call: &Value, signature: Option<Value>, sink: &mut dyn ModelSink) -> Self {
        let text = |field: &str| call.get(field).and_then(Value::as_str).unwrap_or_default();
        let id = CallId::mint();
        let arguments = match call.get("args") {
            None | Some(Value::Null) => "{}".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(args) => args.to_string(),
        };
        sink.event(ModelEvent::CallStarted {
            id,
            name: text("name").to_owned(),
        });
        sink.event(ModelEvent::CallArguments {
            id,
            delta: arguments.clone(),
        });
        Self {
            kind: Kind::Call {
                id,
                provider_id: Some(text("id").to_owned()).filter(|id| !id.trim().is_empty()),
                name: text("name").to_owned(),
            },
            text: arguments,
            signature,
        }
    }

    /// Joins the next piece of a text to it; gives it back where it is something else. What is
    /// signed is closed: a signature stands for all that came since the one before it.
    pub(super) fn join(&mut self, next: Self) -> Option<Self> {
        let is_text = matches!(self.kind, Kind::Text | Kind::Thought);
        if !is_text || self.kind != next.kind || self.signature.is_some() {
            return Some(next);
        }
        self.text.push_str(&next.text);
        self.signature = next.signature;
        None
    }

    pub(super) fn is_call(&self) -> bool {
        matches!(self.kind, Kind::Call { .. })
    }

    pub(super) fn call_id(&self) -> Option<&str> {
        match &self.kind {
            Kind::Call { provider_id, .. } => provider_id.as_deref(),
            Kind::Text | Kind::Thought => None,
        }
    }

    /// The part that stands for it; `keeps_id` is false where its id is another call's.
    pub(super) fn into_part(self, keeps_id: bool) -> Option<AssistantPart> {
        let provider = self.signature.map(|signature| ProviderBlob {
            provider: GenerateContent::NAME.to_owned(),
            data: json!({"thoughtSignature": signature}),
        });
        let text = self.text;
        match self.kind {
            Kind::Text | Kind::Thought if text.is_empty() && provider.is_none() => None,
            Kind::Text => Some(AssistantPart::Text { text, provider }),
            Kind::Thought => Some(AssistantPart::Reasoning { text, provider }),
            Kind::Call {
                id,
                provider_id,
                name,
            } => Some(AssistantPart::ToolCall(ToolCall {
                id,
                provider_id: provider_id.filter(|_| keeps_id),
                name,
                arguments: text,
                cut: false,
                provider,
            })),
        }
    }
}
