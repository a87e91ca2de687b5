//! Tools for language models.
#![warn(missing_docs)]

pub mod id;
pub mod state;
