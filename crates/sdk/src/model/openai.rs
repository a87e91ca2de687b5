//! OpenAI, and the many servers that speak as it does.

mod chat;
mod responses;

use crate::model::{Capabilities, Endpoint, HttpModel};

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

/// What is known of a model at an endpoint that speaks as OpenAI does: nothing but at OpenAI's own
/// hosts, whatever it is called.
fn known(name: &str, endpoint: &Endpoint) -> Capabilities {
    let host = endpoint.host();
    let is_own = host == "api.openai.com"
        || [".api.openai.com", ".openai.azure.com"]
            .iter()
            .any(|end| host.ends_with(end));
    Capabilities::known(if is_own { name } else { "compatible" }, &endpoint.model)
}

#[cfg(test)]
mod tests {
    use super::known;
    use crate::model::Endpoint;

    #[test]
    fn only_openais_own_hosts_have_openais_models() {
        for (url, strict) in [
            ("https://api.openai.com/v1", true),
            ("https://API.openai.com:443/v1", true),
            ("https://eu.api.openai.com/v1", true),
            ("https://acme.openai.azure.com/openai/v1", true),
            ("http://127.0.0.1:11434/v1", false),
            ("https://api.openai.com.evil.test/v1", false),
            ("https://api.openai.com@evil.test/v1", false),
        ] {
            for name in ["openai", "openai-responses"] {
                let endpoint = Endpoint::new(url, None, "gpt-4.1");
                assert_eq!(known(name, &endpoint).strict, strict, "{name} at {url}");
            }
        }
    }
}
