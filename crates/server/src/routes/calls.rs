//! What ran.

pub(crate) mod list;
pub(crate) mod read;
