//! The whole application over real HTTP, with a scripted language model.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod activity;
mod approvals;
mod audit;
mod batches;
mod calls;
mod chat;
mod clock_back;
mod commit_lost;
mod database_gone;
mod decisions;
mod documents;
mod endings;
mod events;
mod exports;
mod faults;
mod files;
mod functions;
mod guards;
mod hooks;
mod keys;
mod left_behind;
mod links;
mod names;
mod neighbours;
mod people;
mod restrictions;
mod resumed;
mod rows;
mod rules;
mod saved_queries;
mod show;
mod streams;
mod support;
mod together;
mod told;
mod trial_runs;
mod trials;
mod two_servers;
mod usage;
mod versions;
