//! A schema as it is sent, with the way back.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::codec::Codec;
use super::fits::Side;

/// A translated schema.
///
/// ```
/// use serde_json::json;
/// use toolcrib::dialect::Dialect;
///
/// let schema = json!({ "type": "object", "properties": { "größe": { "type": "integer" } } });
/// let translated = Dialect::Gemini.translate(&schema);
/// let shown = translated.forward(json!({ "größe": 3 }));
/// assert_eq!(translated.back(shown), json!({ "größe": 3 }));
/// ```
#[derive(Clone, Debug)]
pub struct Translated {
    schema: Value,
    is_strict: bool,
    codec: Option<Arc<Codec>>,
    wrapper: Option<&'static str>,
}

impl Translated {
    pub(super) fn new(
        schema: Value,
        is_strict: bool,
        codec: Codec,
        wrapper: Option<&'static str>,
    ) -> Self {
        let codec = (!codec.is_identity() || wrapper.is_some()).then(|| Arc::new(codec));
        Self {
            schema,
            is_strict,
            codec,
            wrapper,
        }
    }

    /// What is sent.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use toolcrib::dialect::Dialect;
    /// let translated = Dialect::Compatible.translate(&json!({ "properties": {} }));
    /// assert_eq!(translated.schema()["type"], "object");
    /// ```
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Whether the provider's strict sampling is switched on for it.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use toolcrib::dialect::Dialect;
    /// let schema = json!({ "type": "object", "properties": {} });
    /// assert!(Dialect::Anthropic.translate(&schema).is_strict());
    /// assert!(!Dialect::Gemini.translate(&schema).is_strict());
    /// ```
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Whether [`back`](Self::back) never changes anything, so that arguments need not be parsed
    /// for it.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use toolcrib::dialect::Dialect;
    /// let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    /// assert!(Dialect::Anthropic.translate(&schema).is_identity());
    /// assert!(!Dialect::OpenAi.translate(&schema).is_identity(), "absent is written as null");
    /// ```
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.codec.is_none()
    }

    /// Translates what the model wrote to the original schema's terms. What does not fit is left
    /// as it is, for the original schema to complain about.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use toolcrib::dialect::Dialect;
    /// let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    /// let translated = Dialect::OpenAi.translate(&schema);
    /// assert_eq!(translated.back(json!({ "a": null })), json!({}));
    /// assert_eq!(translated.back(json!({ "b": 1 })), json!({ "b": 1 }));
    /// ```
    #[must_use]
    pub fn back(&self, arguments: Value) -> Value {
        let Some(codec) = &self.codec else {
            return arguments;
        };
        let mut translated = codec.translate(arguments, Side::Sent);
        let inner = self
            .wrapper
            .and_then(|name| translated.as_object_mut()?.shift_remove(name));
        inner.unwrap_or(translated)
    }

    /// Translates arguments in the original schema's terms to what the model is to write.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use toolcrib::dialect::Dialect;
    /// let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    /// let translated = Dialect::OpenAi.translate(&schema);
    /// assert_eq!(translated.forward(json!({})), json!({ "a": null }));
    /// ```
    #[must_use]
    pub fn forward(&self, arguments: Value) -> Value {
        let Some(codec) = &self.codec else {
            return arguments;
        };
        let whole = match self.wrapper {
            Some(name) => Value::Object(Map::from_iter([(name.to_owned(), arguments)])),
            None => arguments,
        };
        codec.translate(whole, Side::Original)
    }
}
