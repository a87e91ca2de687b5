//! Decisions for later calls, which each user gives for their own.

pub(crate) mod list;
pub(crate) mod revoke;
