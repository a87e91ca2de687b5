//! Runs, leases and streams; puts the other crates together into one application.

mod approvals;
mod audit;
mod background;
mod documents;
mod error;
mod events;
mod exported;
mod language_model;
mod neighbours;
mod open;
mod people;
mod reload;
mod run;
mod runtime;
mod setup;
mod stream;
mod usage;
mod view;
mod workspace;

pub use audit::AuditError;
pub use audit::chain::ChainView;
pub use audit::key::AuditKey;
pub use audit::story::{AuditPerson, AuditStory};
pub use audit::verify::{ChainProblem, Verified};
pub use documents::error::DocumentError;
pub use documents::{ChangeMode, DocumentChange, DocumentContent};
pub use error::RuntimeError;
pub use events::callback::{Answer, Callback, Received};
pub use events::change::SubscriberChange;
pub use events::manage::EventError;
pub use events::payload::{ToolEvent, ToolEventData};
pub use events::view::{DeliveryView, SubscriberView, TestedSubscriber};
pub use exported::Exported;
pub use language_model::provider::{Provider, UnknownProvider};
pub use language_model::{EndpointSettings, LanguageModelStatus, LanguageModels, SettingsOrigin};
pub use people::{NewToken, SignedIn};
pub use run::start::{ChatError, ChatMessage, Started};
pub use run::trial::TrialView;
pub use runtime::{Runtime, RuntimeOptions};
pub use stream::{Chunk, StreamReader};
pub use toolcrib_counter::{CounterOptions, Hook, HookFuture, HookNote, HookTools, Hooked};
pub use usage::{AllowanceView, Limits, NewPolicy, PolicyView, UsageError, UsageView};
pub use view::approval::ApprovalView;
pub use view::call::{CallEventView, CallLine, CallStory, CallView, Person, WithheldView};
pub use view::conversation::{ConversationRef, ConversationView, UiMessage};
pub use view::document::{
    ConnectionView, DocumentView, ModelView, ModelsView, RowFile, SavedDocument,
};
pub use view::time;
pub use workspace::agent::Agent;
pub use workspace::link::ToolLink;
pub use workspace::{FileOrigin, Workspace, WorkspaceError, model_files};
