//! The crate as an embedder uses it.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod generate;
mod reading;
mod schemas;
mod scripted;
mod toolset;
