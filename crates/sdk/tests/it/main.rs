//! The crate as an embedder uses it.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]
#![expect(clippy::duplicate_mod, reason = "each example brings what they share")]

mod context;
mod dialect;
mod docs;
mod endings;
mod examples;
mod generate;
mod macros;
mod manual;
mod observing;
mod openai;
mod paused;
mod reading;
mod repeated;
mod scale;
mod schemas;
mod scripted;
mod stopping;
mod structured;
mod tampered;
mod toolset;
mod wires;
mod wrappers;
