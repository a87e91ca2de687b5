//! The tool loop: a pure decision of what comes next, and a driver that does it.

mod call;
mod client;
mod error;
mod event;
mod fit;
mod observer;
mod options;
mod output;
mod paused;
mod repeat;
mod request;
mod response_call;
mod result;
mod run;
pub mod step;
mod stop;

pub use client::Client;
pub use error::{GenerateError, GenerateErrorKind};
pub use event::{GenerateEvent, GenerateSink};
pub use observer::{GenerateStart, Observer};
pub use options::{StepPlan, UnknownTools};
pub use output::Typed;
pub use paused::{NotPending, Paused, PendingCall};
pub use repeat::repeats;
pub use request::Request;
pub use response_call::ResponseCall;
pub use result::{GenerateResult, Warning};
pub use stop::StopWhen;

/// How many model calls a run may take where nobody says otherwise.
///
/// For [`Client::generate`].
pub const DEFAULT_MAX_STEPS: usize = 5;
