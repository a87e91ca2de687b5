//! The port to those who are told of calls, or asked before them.

use std::fmt::Debug;
use std::pin::Pin;

use toolcrib::id::CallId;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::deliveries::Moment;
use toolcrib_data::platform::tools::EventSwitch;

use crate::Refusal;

/// What comes of asking.
pub type AskFuture<'a> = Pin<Box<dyn Future<Output = Result<(), Refusal>> + Send + 'a>>;

/// Who is told of calls, and asked before them. Where the counter has none, nobody is.
pub trait Subscribers: Debug + Send + Sync + 'static {
    /// The keys of those who are told of this tool's calls at that moment.
    fn told(&self, tool: &str, moment: Moment) -> Vec<String>;

    /// Asks those who have to agree before a call runs, one after the other. Whoever can't be asked
    /// does not agree.
    fn ask<'a>(&'a self, call: &'a CallRow, says: EventSwitch) -> AskFuture<'a>;

    /// Says that something was stored for those who are told.
    fn stored(&self, call: CallId);
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nobody;

impl Subscribers for Nobody {
    fn told(&self, _: &str, _: Moment) -> Vec<String> {
        Vec::new()
    }

    fn ask<'a>(&'a self, _: &'a CallRow, _: EventSwitch) -> AskFuture<'a> {
        Box::pin(async { Ok(()) })
    }

    fn stored(&self, _: CallId) {}
}
