//! OpenAI, and the many servers that speak as it does.

mod chat;
mod responses;

use crate::model::HttpModel;

pub use chat::Chat;
pub use responses::Responses;

/// A model behind a chat completions endpoint: OpenAI itself, or any compatible server by its
/// base URL.
///
/// ```
/// use std::sync::Arc;
/// use toolcrib::model::{Endpoint, SharedModel};
/// use toolcrib::model::openai::OpenAiModel;
/// use toolcrib::transport::HttpTransport;
///
/// let endpoint = Endpoint::new("http://127.0.0.1:11434/v1", None, "qwen2.5");
/// let model = SharedModel::new(OpenAiModel::new(endpoint, Arc::new(HttpTransport::new()?)));
/// assert_eq!(model.name(), "qwen2.5");
/// # Ok::<(), toolcrib::transport::TransportError>(())
/// ```
pub type OpenAiModel = HttpModel<Chat>;

/// A model behind OpenAI's Responses endpoint.
///
/// ```
/// use std::sync::Arc;
/// use toolcrib::model::{Endpoint, SharedModel};
/// use toolcrib::model::openai::ResponsesModel;
/// use toolcrib::transport::HttpTransport;
///
/// let key = Some("the key".to_owned());
/// let endpoint = Endpoint::new("https://api.openai.com/v1", key, "gpt-5-mini");
/// let model = SharedModel::new(ResponsesModel::new(endpoint, Arc::new(HttpTransport::new()?)));
/// assert_eq!(model.provider(), "openai-responses");
/// # Ok::<(), toolcrib::transport::TransportError>(())
/// ```
pub type ResponsesModel = HttpModel<Responses>;
