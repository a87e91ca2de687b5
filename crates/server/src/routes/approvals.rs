//! Decisions that calls wait for.

pub(crate) mod decide;
pub(crate) mod list;
pub(crate) mod read;
