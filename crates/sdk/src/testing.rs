//! A scripted language model for tests: yours, and ours.

mod scripted;

pub use scripted::{Scripted, ScriptedModel};
