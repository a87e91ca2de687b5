//! What a client sees of a run: chunks of the UI message stream, told live and told again.

mod chunk;
mod hub;
mod log;

pub use chunk::Chunk;
pub(crate) use chunk::{ToolPart, part_id};
pub use hub::StreamReader;
pub(crate) use hub::{Hub, StreamWriter};
pub(crate) use log::KEPT;
