mod decode;
mod encode;

use bytes::Bytes;
use http::{HeaderName, header};
use serde_json::{Value, json};

use self::decode::ChatDecoder;
use crate::ToolDefinition;
use crate::dialect::{Dialect, Translated};
use crate::message::WireKey;
use crate::model::http::wire::{Encoding, Wire};
use crate::model::{Capabilities, Delivery, Endpoint, ModelRequest};

/// The wire format of chat completions.
///
/// Names the format of an [`OpenAiModel`](super::OpenAiModel).
#[derive(Clone, Copy, Debug, Default)]
pub struct Chat;

impl Wire for Chat {
    type Decoder = ChatDecoder;

    const NAME: &'static str = "openai";

    /// Many servers speak this format; what OpenAI's own models can do says nothing of theirs,
    /// even where they go by the same names.
    fn known(&self, endpoint: &Endpoint) -> Capabilities {
        super::known(Self::NAME, endpoint)
    }

    fn dialect(&self, key: WireKey) -> Dialect {
        if key.is_strict {
            Dialect::OpenAi
        } else {
            Dialect::Compatible
        }
    }

    fn path(&self, _: &str, _: Delivery) -> String {
        "chat/completions".to_owned()
    }

    fn authorization(&self, key: &str) -> (HeaderName, String) {
        (header::AUTHORIZATION, format!("Bearer {key}"))
    }

    fn tool(name: &str, definition: &ToolDefinition, schema: &Translated) -> Value {
        let mut function = json!({
            "name": name,
            "description": definition.description,
            "parameters": schema.schema(),
        });
        if schema.is_strict()
            && let Some(fields) = function.as_object_mut()
        {
            fields.insert("strict".to_owned(), true.into());
        }
        json!({"type": "function", "function": function})
    }

    fn encode(&self, request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
        encode::encode(request, encoding)
    }

    fn decoder(&self, model: &str) -> ChatDecoder {
        ChatDecoder::new(model)
    }
}
