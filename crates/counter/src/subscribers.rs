//! The port to those who are told of calls, or asked before them.

use std::fmt::Debug;
use std::pin::Pin;

use toolcrib::id::CallId;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::deliveries::Moment;
use toolcrib_data::platform::tools::EventSwitch;

use crate::Refusal;

/// What comes of asking.
pub type AskFuture<'a> = Pin<Box<dyn Future<Output = Result<Consent, Refusal>> + Send + 'a>>;

/// Why a call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Nobody has to be asked.
    NotNeeded,
    /// Everybody who was asked agreed; that may have taken a while.
    Given,
}

/// An event of a call that others are told of, or asked about.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The call.
    pub call: &'a CallRow,
    /// The tools that it is a call of: the one that was named, and the function of a data model that it is.
    pub tools: &'a [String],
    /// How much the event says.
    pub says: EventSwitch,
}

/// Who is told of calls, and asked before them. Where the counter has none, nobody is.
pub trait Subscribers: Debug + Send + Sync + 'static {
    /// The keys of those who are told of calls of one of these tools at that moment.
    fn told(&self, tools: &[String], moment: Moment) -> Vec<String>;

    /// Asks those who have to agree before a call runs, one after the other. Whoever can't be asked
    /// does not agree.
    fn ask<'a>(&'a self, event: Told<'a>) -> AskFuture<'a>;

    /// Says that something was stored for those who are told.
    fn stored(&self, call: CallId);
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nobody;

impl Subscribers for Nobody {
    fn told(&self, _: &[String], _: Moment) -> Vec<String> {
        Vec::new()
    }

    fn ask<'a>(&'a self, _: Told<'a>) -> AskFuture<'a> {
        Box::pin(async { Ok(Consent::NotNeeded) })
    }

    fn stored(&self, _: CallId) {}
}
