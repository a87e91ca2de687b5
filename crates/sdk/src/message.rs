//! The transcript in words of our own; what only a provider understands stands beside it, tagged.

mod pairs;
mod parts;
mod transcript;
mod trim;

pub use pairs::{PairingError, check_pairs};
pub use parts::{AssistantMessage, AssistantPart, Message, ProviderBlob, ToolCall, ToolMessage};
pub use transcript::Transcript;
#[cfg(feature = "wire")]
pub(crate) use transcript::WireKey;
pub use trim::{groups, keep_latest_groups};
