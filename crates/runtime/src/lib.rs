//! Runs, leases and streams; puts the other crates together into one application.

mod background;
mod error;
mod language_model;
mod people;
mod run;
mod runtime;
mod setup;
mod stream;
mod view;
mod workspace;

pub use error::RuntimeError;
pub use language_model::provider::{Provider, UnknownProvider};
pub use language_model::{EndpointSettings, LanguageModelStatus, LanguageModels, SettingsOrigin};
pub use people::{NewToken, SignedIn};
pub use run::start::{ChatError, ChatMessage, Started};
pub use runtime::{Runtime, RuntimeOptions};
pub use stream::{Chunk, StreamReader};
pub use view::approval::ApprovalView;
pub use view::call::{CallEventView, CallLine, CallStory, CallView, Person, WithheldView};
pub use view::conversation::{ConversationRef, ConversationView, UiMessage};
pub use workspace::agent::Agent;
pub use workspace::{Workspace, WorkspaceError, model_files};
