//! The platform's own rows: users, tools, conversations, runs, calls, approvals.

pub mod calls;
pub(crate) mod migrate;
