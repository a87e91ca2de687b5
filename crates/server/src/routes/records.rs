//! What of records is no tool's answer.

pub(crate) mod file;
