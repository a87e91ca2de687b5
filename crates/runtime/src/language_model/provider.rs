use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolcrib::model::anthropic::AnthropicModel;
use toolcrib::model::gemini::GeminiModel;
use toolcrib::model::openai::{OpenAiModel, ResponsesModel};
use toolcrib::model::{Endpoint, ModelError, SharedModel};
use toolcrib::transport::Transport;
use utoipa::ToSchema;

/// How an endpoint wants to be spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Provider {
    /// Chat completions: `OpenAI`, and the many servers that speak as it does.
    #[default]
    Openai,
    /// Responses, of `OpenAI`.
    OpenaiResponses,
    /// Messages, of Anthropic.
    Anthropic,
    /// `generateContent`, of Gemini.
    Gemini,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 4] = [
        Self::Openai,
        Self::OpenaiResponses,
        Self::Anthropic,
        Self::Gemini,
    ];

    /// The name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    pub(super) fn model(self, endpoint: Endpoint, transport: Arc<dyn Transport>) -> SharedModel {
        match self {
            Self::Openai => SharedModel::new(OpenAiModel::new(endpoint, transport)),
            Self::OpenaiResponses => SharedModel::new(ResponsesModel::new(endpoint, transport)),
            Self::Anthropic => SharedModel::new(AnthropicModel::new(endpoint, transport)),
            Self::Gemini => SharedModel::new(GeminiModel::new(endpoint, transport)),
        }
    }

    pub(super) async fn list_models(
        self,
        endpoint: Endpoint,
        transport: Arc<dyn Transport>,
    ) -> Result<Vec<String>, ModelError> {
        match self {
            Self::Openai => OpenAiModel::new(endpoint, transport).list_models().await,
            Self::OpenaiResponses => ResponsesModel::new(endpoint, transport).list_models().await,
            Self::Anthropic => AnthropicModel::new(endpoint, transport).list_models().await,
            Self::Gemini => GeminiModel::new(endpoint, transport).list_models().await,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no provider has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no provider; there are openai, openai-responses, anthropic and gemini")]
pub struct UnknownProvider(String);

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.name() == name)
            .ok_or_else(|| UnknownProvider(name.chars().take(80).collect()))
    }
}
