//! Events of calls: who is told of them, and who is asked before them.
//!
//! - [`book`] knows the subscribers, and is what the counter asks.
//! - [`payload`] writes out what an event says.
//! - [`webhook`] sends it, signed; [`callback`] is the other kind of subscriber.
//! - [`deliver`] sends what was stored with the transitions of calls, until it arrives.
//! - [`manage`] is what administrators do with subscribers ([`change`]: what is sound), [`sent`] with events on their
//!   way; [`view`] is what they see.

pub(crate) mod book;
pub(crate) mod callback;
pub(crate) mod change;
mod deliver;
pub(crate) mod manage;
pub(crate) mod payload;
mod sent;
pub(crate) mod view;
mod webhook;
