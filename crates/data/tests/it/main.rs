//! The store and the records, against a real database.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

#[macro_use]
mod databases;

mod bad_input;
mod bad_query;
mod binary;
mod criteria_prop;
mod decimals;
mod docs;
mod exports;
mod files;
mod functions;
mod grants;
mod group_commit;
mod interpreter;
mod introspect;
mod leak;
mod many_to_many;
mod migrate;
mod new_ids;
mod odd_tables;
mod oracle;
mod plan;
mod platform_rows;
mod platform_store;
mod promises;
mod query;
mod query_rights;
mod restrictions;
mod rights;
mod rights_prop;
mod sample;
mod saved_query;
mod schema;
mod search;
mod support;
mod write;
