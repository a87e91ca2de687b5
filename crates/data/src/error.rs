/// Why storage could not do what was asked; for logs, never for a model or an outsider.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database answered with an error.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A stored value could not be read back.
    #[error("stored value of {what} is not readable: {source}")]
    Stored {
        /// Which value.
        what: &'static str,
        /// What was wrong with it.
        source: serde_json::Error,
    },
    /// The writer stopped, since the store was closed or its connection was lost.
    #[error("the database writer has stopped")]
    WriterGone,
    /// Another server holds this workspace's embedded database.
    #[error("the workspace database {path} is in use by another toolcrib process")]
    InUse {
        /// The database file.
        path: String,
    },
    /// The group of units that this one was committed with could not be made durable.
    #[error("commit failed: {0}")]
    Commit(String),
    /// A file operation failed.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
}
