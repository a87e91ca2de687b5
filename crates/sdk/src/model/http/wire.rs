//! What a wire format has to know; everything else is the same for all.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use serde_json::Value;

use super::WrittenTools;
use crate::ToolDefinition;
use crate::dialect::{Dialect, Translated};
use crate::message::WireKey;
use crate::model::{
    Answer, Capabilities, Delivery, Endpoint, ModelErrorKind, ModelRequest, ModelSink,
};

/// One provider's format of requests and answers.
pub trait Wire: Clone + Default + Send + Sync + 'static {
    /// Puts an answer together.
    type Decoder: Decoder;

    /// The name of the format: in errors, on blobs, in telemetry.
    const NAME: &'static str;

    /// What is known of the model behind an endpoint.
    fn known(&self, endpoint: &Endpoint) -> Capabilities {
        Capabilities::known(Self::NAME, &endpoint.model)
    }

    /// How schemas are to be put.
    fn dialect(&self, key: WireKey) -> Dialect;

    /// The path of a request, after the base URL.
    fn path(&self, model: &str, delivery: Delivery) -> String;

    /// The path of the list of models, after the base URL.
    fn models_path(&self) -> &'static str {
        "models"
    }

    /// The header that carries the key, and its value.
    fn authorization(&self, key: &str) -> (HeaderName, String);

    /// Headers that go with every request.
    fn headers(&self) -> &'static [(HeaderName, HeaderValue)] {
        &[]
    }

    /// One tool as it stands in the request.
    fn tool(name: &str, definition: &ToolDefinition, schema: &Translated) -> Value;

    /// The body of a request.
    fn encode(&self, request: &ModelRequest, encoding: &Encoding<'_>) -> Bytes;

    /// What puts the answer together.
    fn decoder(&self, model: &str) -> Self::Decoder;
}

/// What a request is written with.
#[derive(Debug)]
pub struct Encoding<'a> {
    pub(crate) model: &'a str,
    #[cfg_attr(
        not(any(feature = "openai", feature = "anthropic")),
        expect(dead_code, reason = "what Gemini is sent depends on no capability")
    )]
    pub(crate) capabilities: &'a Capabilities,
    pub(crate) tools: &'a WrittenTools,
    pub(crate) output: Option<&'a Translated>,
    pub(crate) key: WireKey,
}

/// Whether more is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The answer goes on.
    More,
    /// The provider said that this is the end.
    End,
}

/// Puts an answer together from its pieces, whatever order and shape they come in.
pub trait Decoder: Send {
    /// Takes the data of one event of a stream.
    ///
    /// # Errors
    /// When it can't be read, or is itself an error.
    fn event(&mut self, data: &str, sink: &mut dyn ModelSink) -> Result<Flow, WireError>;

    /// Takes an answer that came in one piece.
    ///
    /// # Errors
    /// As above.
    fn whole(&mut self, body: &Value, sink: &mut dyn ModelSink) -> Result<(), WireError>;

    /// The answer, if it came to a positive end.
    ///
    /// # Errors
    /// When it did not.
    fn finish(self) -> Result<Answer, WireError>;
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    pub(crate) kind: ModelErrorKind,
    pub(crate) status: Option<u16>,
    pub(crate) text: String,
}

impl WireError {
    pub(crate) fn new(kind: ModelErrorKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            text: text.into(),
        }
    }

    /// A piece of the answer that is not what it should be.
    pub(crate) fn broken(text: impl Into<String>) -> Self {
        Self::new(ModelErrorKind::Broken, text)
    }

    /// An answer that stopped before its end.
    pub(crate) fn cut_off() -> Self {
        Self::new(
            ModelErrorKind::CutOff,
            "the stream ended before the answer did",
        )
    }

    /// An error inside an answer that began with 200: it counts like its status.
    pub(crate) fn in_band(error: &Value) -> Self {
        let code = ["code", "status", "type"]
            .iter()
            .filter_map(|field| error.get(*field))
            .find(|code| !code.is_null());
        let status = code
            .and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()))
            .and_then(|status| u16::try_from(status).ok());
        let words: Vec<&str> = ["code", "status", "type"]
            .iter()
            .filter_map(|field| error.get(*field)?.as_str())
            .collect();
        let message = error
            .get("message")
            .or_else(|| error.get("detail"))
            .and_then(Value::as_str)
            .or_else(|| error.as_str())
            .unwrap_or_default();
        let retry_after = error
            .get("retry_after")
            .and_then(Value::as_u64)
            .map(std::time::Duration::from_secs);
        let text = if message.is_empty() {
            words.join(" ")
        } else {
            message.to_owned()
        };
        Self {
            kind: ModelErrorKind::of(status, &words, message, retry_after),
            status,
            text,
        }
    }
}
