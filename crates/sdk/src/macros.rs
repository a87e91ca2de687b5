//! What the code that `#[tool]` writes refers to; no part of the interface.

pub use schemars::{self, JsonSchema};
pub use serde::{self, Deserialize};
