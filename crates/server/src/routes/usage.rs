//! How much of language models is used, and how much may be.

pub(crate) mod allowance;
pub(crate) mod list;
pub(crate) mod policies;
