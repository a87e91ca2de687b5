mod decode;
mod encode;
mod item;

use bytes::Bytes;
use http::{HeaderName, header};
use serde_json::{Value, json};

use self::decode::ResponsesDecoder;
use crate::ToolDefinition;
use crate::dialect::{Dialect, Translated};
use crate::message::WireKey;
use crate::model::http::wire::{Encoding, Wire};
use crate::model::{Capabilities, Delivery, Endpoint, ModelRequest};

/// The wire format of OpenAI's Responses.
///
/// Names the format of a [`ResponsesModel`](super::ResponsesModel).
#[derive(Clone, Copy, Debug, Default)]
pub struct Responses;

impl Wire for Responses {
    type Decoder = ResponsesDecoder;

    const NAME: &'static str = "openai-responses";

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
        "responses".to_owned()
    }

    fn authorization(&self, key: &str) -> (HeaderName, String) {
        (header::AUTHORIZATION, format!("Bearer {key}"))
    }

    /// Unlike chat completions, this format takes a tool for strict unless it is told otherwise.
    fn tool(name: &str, definition: &ToolDefinition, schema: &Translated) -> Value {
        json!({
            "type": "function",
            "name": name,
            "description": definition.description,
            "parameters": schema.schema(),
            "strict": schema.is_strict(),
        })
    }

    fn encode(&self, request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
        encode::encode(request, encoding)
    }

    fn decoder(&self, model: &str) -> ResponsesDecoder {
        ResponsesDecoder::new(model)
    }
}
