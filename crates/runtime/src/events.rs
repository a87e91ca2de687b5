//! Events of calls: who is told of them, and who is asked before them.
//!
//! - [`book`] knows the subscribers, and is what the counter asks.
//! - [`payload`] writes out what an event says.
//! - [`webhook`] sends it, signed; [`callback`] is the other kind of subscriber.
//! - [`deliver`] sends what was stored with the transitions of calls, until it arrives.
//! - [`manage`] is what administrators do with all this.

pub(crate) mod book;
pub(crate) mod callback;
mod deliver;
pub(crate) mod manage;
pub(crate) mod payload;
mod webhook;
