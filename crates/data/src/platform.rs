//! The platform's own rows: people, tools, conversations, runs, calls, approvals.
//!
//! Every function takes the organisation, and every statement is scoped by it. Times are
//! microseconds since 1970.

pub mod approvals;
pub mod audit;
pub mod calls;
pub mod conversations;
pub mod deliveries;
pub mod documents;
pub mod grants;
pub mod handles;
pub mod leases;
mod like;
pub(crate) mod migrate;
pub mod people;
mod row;
pub mod runs;
pub mod saved_queries;
pub mod settings;
pub(crate) mod sql;
pub mod streams;
pub mod subscribers;
pub mod tools;
pub mod usage;
pub mod withheld;

/// One page of a list: how many, and from where on.
#[derive(Clone, Debug)]
pub struct Page {
    /// At most this many rows.
    pub limit: u32,
    /// Rows after this one; an opaque text from the page before.
    pub after: Option<String>,
}
