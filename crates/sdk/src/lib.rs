#![doc = include_str!("../README.md")]
//!
//! # A tool by hand
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
#![cfg_attr(
    all(
        feature = "wire",
        not(any(feature = "openai", feature = "anthropic", feature = "gemini"))
    ),
    expect(
        dead_code,
        unused_imports,
        reason = "what wire formats share, without one"
    )
)]

pub mod agent;
pub mod dialect;
pub mod id;
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod macros;
pub mod message;
pub mod model;
mod names;
pub mod read;
pub mod schema;
pub mod state;
mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
mod tool;
pub mod toolset;
pub mod transport;

pub use agent::{
    Client, GenerateError, GenerateErrorKind, GenerateEvent, GenerateResult, GenerateSink,
    GenerateStart, Observer, Paused, PendingCall, Request, ResponseCall, StepPlan, StopWhen, Typed,
    UnknownTools, Warning,
};
pub use names::nearest;
pub use tool::Tool;
pub use tool::context::{Resume, ToolContext};
pub use tool::definition::{InvalidToolName, ToolDefinition, ToolName};
pub use tool::definitions::Definitions;
pub use tool::error::ToolError;
pub use tool::function::{FnTool, tool_fn};
pub use tool::handler::{Handled, NamedCall, ToolHandler};
pub use tool::into_result::{IntoToolResult, Json};
pub use tool::result::ToolResult;
#[cfg(feature = "macros")]
pub use toolcrib_macros::tool;
pub use toolset::{ExecuteError, ToolSet, ToolSetError, Tools, unknown_tool};
