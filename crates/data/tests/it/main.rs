//! The records part of the crate, against a real database.

mod bad_input;
mod criteria_prop;
mod files;
mod migrate;
mod plan;
mod rights;
mod sample;
mod search;
mod support;
mod write;
