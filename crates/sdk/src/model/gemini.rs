//! Gemini.

mod decode;
mod encode;
mod part;

use bytes::Bytes;
use http::HeaderName;
use serde_json::{Value, json};

use self::decode::GenerateContentDecoder;
use crate::ToolDefinition;
use crate::dialect::{Dialect, Translated};
use crate::message::WireKey;
use crate::model::http::wire::{Encoding, Wire};
use crate::model::{Capabilities, Delivery, Endpoint, HttpModel, ModelRequest};

/// A model behind Gemini's generateContent endpoint.
///
/// ```
/// use std::sync::Arc;
/// use toolcrib::model::{Endpoint, SharedModel};
/// use toolcrib::model::gemini::GeminiModel;
/// use toolcrib::transport::HttpTransport;
///
/// let base = "https://generativelanguage.googleapis.com/v1beta";
/// let endpoint = Endpoint::new(base, Some("the key".to_owned()), "gemini-2.5-flash");
/// let model = SharedModel::new(GeminiModel::new(endpoint, Arc::new(HttpTransport::new()?)));
/// assert_eq!(model.provider(), "gemini");
/// # Ok::<(), toolcrib::transport::TransportError>(())
/// ```
pub type GeminiModel = HttpModel<GenerateContent>;

/// The wire format of Gemini's generateContent.
///
/// Names the format of a [`GeminiModel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct GenerateContent;

impl Wire for GenerateContent {
    type Decoder = GenerateContentDecoder;

    const NAME: &'static str = "gemini";

    fn known(&self, endpoint: &Endpoint) -> Capabilities {
        Capabilities::known(Self::NAME, short_name(&endpoint.model))
    }

    fn dialect(&self, _: WireKey) -> Dialect {
        Dialect::Gemini
    }

    fn path(&self, model: &str, delivery: Delivery) -> String {
        let model = if model.contains('/') {
            model.to_owned()
        } else {
            format!("models/{model}")
        };
        match delivery {
            Delivery::Streamed => format!("{model}:streamGenerateContent?alt=sse"),
            Delivery::Whole => format!("{model}:generateContent"),
        }
    }

    /// The list comes in pages of fifty unless it is asked for otherwise.
    fn models_path(&self) -> &'static str {
        "models?pageSize=1000"
    }

    fn authorization(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-goog-api-key"), key.to_owned())
    }

    fn tool(name: &str, definition: &ToolDefinition, schema: &Translated) -> Value {
        json!({
            "name": name,
            "description": definition.description,
            "parametersJsonSchema": schema.schema(),
        })
    }

    fn encode(&self, request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes {
        encode::encode(request, encoding)
    }

    fn decoder(&self, model: &str) -> GenerateContentDecoder {
        GenerateContentDecoder::new(model)
    }
}

/// A model's name without the kind of resource that it is.
fn short_name(model: &str) -> &str {
    model.rsplit_once('/').map_or(model, |(_, name)| name)
}
