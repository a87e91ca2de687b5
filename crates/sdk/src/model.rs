//! The port to language models, and the providers behind it.

mod answer;
#[cfg(feature = "anthropic")]
pub mod anthropic;
mod capabilities;
#[cfg(feature = "wire")]
mod endpoint;
mod error;
mod event;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "wire")]
pub(crate) mod http;
#[cfg(feature = "openai")]
pub mod openai;
mod port;
mod request;

pub use answer::{Answer, AnswerMeta, FinishReason, RetriedAttempt, Usage};
pub use capabilities::{Capabilities, StructuredOutput};
#[cfg(feature = "wire")]
pub use endpoint::Endpoint;
pub use error::{ModelError, ModelErrorKind};
pub use event::{ModelEvent, ModelSink};
#[cfg(feature = "wire")]
pub use http::HttpModel;
#[cfg(feature = "wire")]
pub(crate) use http::WrittenTools;
pub use port::{Model, SharedModel};
pub use request::{Delivery, ModelRequest, OutputSchema, ToolChoice};
