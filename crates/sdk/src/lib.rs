//! Tools for language models: typed tools, tool sets, and the loop that runs them.
//!
//! ```
//! use serde::Deserialize;
//! use schemars::JsonSchema;
//! use toolcrib::{Tool, ToolContext, ToolResult, ToolSet};
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Echo {
//!     /// What to say back.
//!     message: String,
//! }
//!
//! struct EchoTool;
//!
//! impl Tool for EchoTool {
//!     type Input = Echo;
//!     fn name(&self) -> &str { "echo" }
//!     fn description(&self) -> &str { "Says the message back." }
//!     async fn call(&self, _: &ToolContext, input: Echo) -> ToolResult {
//!         ToolResult::success(input.message)
//!     }
//! }
//!
//! let mut tools = ToolSet::new();
//! tools.add(EchoTool)?;
//! assert!(tools.has_tool("echo"));
//! # Ok::<(), toolcrib::ToolSetError>(())
//! ```
//!
//! The crate knows no database and no HTTP server, and reads nothing from the environment.
#![warn(missing_docs)]

pub mod agent;
pub mod id;
pub mod message;
pub mod model;
mod names;
pub mod read;
pub mod schema;
pub mod state;
mod tool;
mod toolset;
pub mod transport;

pub use agent::generate::{Client, GenerateError, GenerateResult, Request, Warning};
pub use names::nearest;
pub use tool::definition::{InvalidToolName, ToolDefinition, ToolName};
pub use tool::result::ToolResult;
pub use tool::{Tool, ToolContext};
pub use toolset::{ToolSet, ToolSetError, unknown_tool};
