//! The counter over a real store, with tools made for the purpose.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod before_run;
mod connections;
mod endings;
mod endings_hold;
mod frozen;
mod hooks;
mod measured;
mod offer;
mod offered_runs;
mod props;
mod registry;
mod stages;
mod support;
mod taken_over;
mod titles;
mod trial_runs;
mod trials;
mod units;
mod versions;
mod while_running;
