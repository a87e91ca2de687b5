use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is known of the models of each provider, as data.
const KNOWN: &str = include_str!("capabilities.json");

/// What a model can do. Data, not code: what is known ships with the crate, and a configuration
/// may say otherwise.
///
/// ```
/// use toolcrib::model::Capabilities;
///
/// let known = Capabilities::known("openai", "gpt-4.1-mini");
/// assert!(known.tools && known.strict);
/// let changed: Capabilities = known.with(&serde_json::json!({"strict": false}))?;
/// assert!(changed.tools && !changed.strict);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Capabilities {
    /// Whether it can call tools.
    pub tools: bool,
    /// Whether the provider can hold it to a tool's schema while it writes.
    pub strict: bool,
    /// Whether it may ask for several calls in one answer.
    pub parallel_calls: bool,
    /// Whether a call can be forced or forbidden.
    pub tool_choice: bool,
    /// Whether the provider can hold an answer to a schema.
    pub structured_output: StructuredOutput,
    /// Whether it reads images.
    pub images: bool,
    /// Whether the provider searches the web for it.
    pub web_search: bool,
    /// Whether the provider fetches pages for it.
    pub web_fetch: bool,
    /// Whether it thinks before it answers, and its thoughts can be kept for the next request.
    pub reasoning: bool,
    /// Whether it takes a temperature.
    pub temperature: bool,
    /// Whether the output limit goes by its older name, `max_tokens`.
    pub older_output_limit: bool,
    /// What it can read at once, in tokens; unknown where the provider does not say.
    pub context_tokens: Option<u64>,
    /// The most that it writes at once, in tokens.
    pub output_tokens: Option<u64>,
    /// The longest tool name that the provider takes, in characters.
    pub longest_tool_name: usize,
}

/// Whether a provider can hold an answer to a schema.
///
/// Shown at [`Capabilities`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StructuredOutput {
    /// It can't.
    #[default]
    No,
    /// Where no tools are offered beside it.
    WithoutTools,
    /// Also beside tools.
    WithTools,
}

impl Default for Capabilities {
    /// What may be taken for granted of a model that nobody knows: tools, and little else.
    fn default() -> Self {
        Self {
            tools: true,
            strict: false,
            parallel_calls: true,
            tool_choice: true,
            structured_output: StructuredOutput::No,
            images: false,
            web_search: false,
            web_fetch: false,
            reasoning: false,
            temperature: true,
            older_output_limit: true,
            context_tokens: None,
            output_tokens: None,
            longest_tool_name: 64,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Known {
    provider: String,
    /// The beginning of the model's name; empty for every model of the provider.
    model: String,
    can: Map<String, Value>,
}

impl Capabilities {
    /// What is known of a model of a provider. Later entries of the data refine earlier ones.
    #[must_use]
    pub fn known(provider: &str, model: &str) -> Self {
        static LIST: LazyLock<Vec<Known>> =
            LazyLock::new(|| serde_json::from_str(KNOWN).unwrap_or_default());
        LIST.iter()
            .filter(|known| known.provider == provider && model.starts_with(&known.model))
            .fold(Self::default(), |capabilities, known| {
                capabilities.overlaid(&known.can).unwrap_or_default()
            })
    }

    /// These capabilities with what `overrides` says otherwise, a JSON object.
    ///
    /// # Errors
    /// When it names something that is no capability, or gives one a wrong value.
    pub fn with(&self, overrides: &Value) -> Result<Self, serde_json::Error> {
        let overrides: Map<String, Value> = serde_json::from_value(overrides.clone())?;
        self.overlaid(&overrides)
    }

    fn overlaid(&self, overrides: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        let mut value = serde_json::to_value(self)?;
        if let Value::Object(fields) = &mut value {
            fields.extend(overrides.clone());
        }
        serde_json::from_value(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Capabilities, KNOWN, Known};

    #[test]
    fn models_are_told_apart_by_their_names() {
        for (provider, model, strict, context) in [
            ("openai", "gpt-4", false, Some(8_192)),
            ("openai", "gpt-4-turbo-2024-04-09", false, Some(128_000)),
            ("openai", "gpt-4o-mini", true, Some(128_000)),
            ("openai", "gpt-4.1-mini", true, Some(1_047_576)),
            ("openai", "gpt-5-chat-latest", true, Some(128_000)),
            ("anthropic", "claude-3-haiku-20240307", false, Some(200_000)),
            ("anthropic", "claude-sonnet-4-5", true, Some(200_000)),
            ("compatible", "gpt-4.1", false, None),
        ] {
            let known = Capabilities::known(provider, model);
            assert_eq!(
                (known.strict, known.context_tokens),
                (strict, context),
                "{model}"
            );
        }
    }

    #[test]
    fn the_data_is_whole() {
        let list: Vec<Known> = serde_json::from_str(KNOWN).unwrap();
        for known in list {
            let read = Capabilities::default().overlaid(&known.can);
            assert!(read.is_ok(), "{known:?}: {read:?}");
        }
    }
}
