use toolcrib::transport::TransportError;
use toolcrib_counter::CounterError;
use toolcrib_data::StoreError;

use crate::WorkspaceError;

/// Why the application could not do its work; for logs, not for outsiders.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The counter failed.
    #[error(transparent)]
    Counter(#[from] CounterError),
    /// The workspace folder is not sound.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The way to language models could not be set up.
    #[error("HTTP transport: {0}")]
    Transport(#[from] TransportError),
    /// A file operation failed.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Two callbacks have the same name.
    #[error("there are two callbacks named {0}; each has a name of its own")]
    CallbackTwice(String),
    /// Two hooks have the same name.
    #[error("there are two hooks named {0}; each has a name of its own")]
    HookTwice(String),
    /// Data models could not be brought into the database.
    #[error("{0}")]
    Models(String),
}
