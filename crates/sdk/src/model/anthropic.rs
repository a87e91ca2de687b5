//! Anthropic.

mod block;
mod decode;
mod encode;

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use self::decode::MessagesDecoder;
use crate::ToolDefinition;
use crate::dialect::{Dialect, Translated};
use crate::message::WireKey;
use crate::model::http::wire::{Encoding, Wire};
use crate::model::{Delivery, HttpModel, ModelRequest};

/// A model behind Anthropic's messages endpoint.
///
/// ```
/// use std::sync::Arc;
/// use toolcrib::model::{Endpoint, SharedModel};
/// use toolcrib::model::anthropic::AnthropicModel;
/// use toolcrib::transport::HttpTransport;
///
/// let key = Some("the key".to_owned());
/// let endpoint = Endpoint::new("https://api.anthropic.com/v1", key, "claude-sonnet-4-5");
/// let model = SharedModel::new(AnthropicModel::new(endpoint, Arc::new(HttpTransport::new()?)));
/// assert_eq!(model.provider(), "anthropic");
/// # Ok::<(), toolcrib::transport::TransportError>(())
/// ```
pub type AnthropicModel = HttpModel<Messages>;

/// The wire format of Anthropic's messages.
///
/// Names the format of an [`AnthropicModel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Messages;

static HEADERS: [(HeaderName, HeaderValue); 1] = [(
    HeaderName::from_static("anthropic-version"),
    HeaderValue::from_static("2023-06-01"),
)];

impl Wire for Messages {
    type Decoder = MessagesDecoder;

    const NAME: &'static str = "anthropic";

    fn dialect(&self, key: WireKey) -> Dialect {
        if key.is_strict {
            Dialect::Anthropic
        } else {
            Dialect::Compatible
        }
    }

    fn path(&self, _: &str, _: Delivery) -> String {
        "messages".to_owned()
    }

    /// The list comes in pages of twenty unless it is asked for otherwise.
    fn models_path(&self) -> &'static str {
        "models?limit=1000"
    }

    fn authorization(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-api-key"), key.to_owned())
    }

    fn headers(&self) -> &'static [(HeaderName, HeaderValue)] {
        &HEADERS
    }

    fn tool(name: &str, definition: &ToolDefinition, schema: &Translated) -> Value {
        let mut tool = json!({
            "name": name,
            "description": definition.description,
            "input_schema": schema.schema(),
        });
        if let (true, Some(fields)) = (schema.is_strict(), tool.as_object_mut()) {
            fields.insert("strict".to_owned(), true.into());
        }
        tool
    }

    fn encode(&self, request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
        encode::encode(request, encoding)
    }

    fn decoder(&self, model: &str) -> MessagesDecoder {
        MessagesDecoder::new(model)
    }
}
