//! The counter over a real store, with tools made for the purpose.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod connections;
mod endings;
mod offer;
mod registry;
mod support;
mod trials;
mod units;
