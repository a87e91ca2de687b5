//! The HTTP server: routes, sign-in, problems, the web app.

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

pub use app::{ServerOptions, router};
pub use listen::serve;
pub use openapi::document;
