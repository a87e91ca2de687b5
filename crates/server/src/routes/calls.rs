//! What ran.

pub(crate) mod export;
pub(crate) mod list;
pub(crate) mod read;
