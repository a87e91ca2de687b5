//! The real binary: started, killed, started again; and the map of the crates.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod architecture;
mod boundaries;
mod commands;
mod connections;
mod disk_full;
mod files;
mod kill;
mod local_model;
mod server;
mod settings;
