//! The counter: the one path that every call takes, whatever its kind and whoever asks.
//!
//! Read `path.rs` from top to bottom: it is the life of a call. Each stage is a file beside it.

mod card;
mod counter;
mod decide;
mod error;
mod hooks;
mod mark;
mod offer;
mod path;
mod principal;
mod registry;
mod settings;
mod settle;
mod subscribers;
mod tool;

pub use card::{Card, CardChange, CardField, CardFieldChange, CardRecord, WITHHELD};
pub use counter::{Counter, CounterOptions};
pub use decide::who::{is_decider, may_grant, may_see};
pub use decide::{DecideError, Decision, DecisionKind, GrantKind};
pub use error::CounterError;
pub use hooks::{HOOK_KEY, Hook, HookFuture, HookMoment, HookNote, HookOutcome, HookTools, Hooked};
pub use offer::AgentScope;
pub use path::{CallMode, CallOutcome, CallRequest, FromRun, Trial, model_text, stored_text};
pub use principal::{Credential, Principal, Scope};
pub use registry::{OwnedRow, RegisteredTool, Registry, SaveToolError, ToolChange};
pub use settings::check_tool;
pub use subscribers::{AskFuture, Consent, Subscribers, Told};
pub use tool::function::{FunctionSpec, OfModel};
pub use tool::{
    CallContext, Caller, Level, Preview, Refusal, Slot, SystemTool, TagSlot, ToolSpec, Touched,
    Work,
};
