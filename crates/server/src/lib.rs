//! The HTTP server: routes, sign-in, problems, the web app.

// The futures of a chat, with all that a run may do in it, are deeper than the compiler's usual limit
// for working out their layout.
#![recursion_limit = "256"]

mod app;
mod auth;
mod body;
mod error;
mod guard;
mod listen;
mod openapi;
mod page;
mod params;
mod problem;
mod routes;
mod sse;
mod table;
mod ui;
mod version;

pub use app::{ServerOptions, router};
pub use listen::serve;
pub use openapi::document;
