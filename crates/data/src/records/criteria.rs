//! The filter language: what a caller writes, and what it means for a model.

pub(super) mod condition;
pub(super) mod input;
pub(super) mod path;
pub(super) mod resolve;
pub(super) mod test_parse;
pub(super) mod variables;
