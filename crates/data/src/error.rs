/// Why storage could not do what was asked; for logs, never for a model or an outsider.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database answered with an error.
    #[error("database: {0}")]
    Database(DatabaseError),
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
    /// Somebody else holds what is needed, and did not let go of it in time.
    #[error("locked by another transaction")]
    Locked,
    /// Two transactions stood in each other's way; the work may be tried again.
    #[error("a deadlock or a conflict with another transaction")]
    Conflict,
    /// A table or column is not what the data model says.
    #[error("a table or column is not what the data model says")]
    Changed,
    /// A statement took too long.
    #[error("a statement took too long")]
    TimedOut,
    /// The platform's own rows were looked for on a connection of data models.
    #[error("the platform's own rows are on its own database alone")]
    NotMain,
    /// No connection of that name is there.
    #[error("there is no connection `{name}`")]
    NoConnection {
        /// The name.
        name: String,
    },
    /// A connection can't be used; what stands in its way.
    #[error("connection `{name}`: {reason}")]
    Connection {
        /// The connection.
        name: String,
        /// What is wrong, without its secrets.
        reason: String,
    },
    /// A file operation failed.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl StoreError {
    /// Whether the database can't be used at all just now: it is out of reach, or its disk is full.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Database(error) => error.is_unavailable(),
            Self::WriterGone | Self::Commit(_) | Self::Io { .. } | Self::Connection { .. } => true,
            Self::Stored { .. }
            | Self::InUse { .. }
            | Self::Locked
            | Self::Conflict
            | Self::Changed
            | Self::TimedOut
            | Self::NotMain
            | Self::NoConnection { .. } => false,
        }
    }

    /// Whether somebody else's work was in the way, so that the same may succeed in another unit.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Locked | Self::Conflict => true,
            Self::Database(error) => error.is_passing(),
            Self::Stored { .. }
            | Self::WriterGone
            | Self::InUse { .. }
            | Self::Commit(_)
            | Self::Changed
            | Self::TimedOut
            | Self::NotMain
            | Self::NoConnection { .. }
            | Self::Connection { .. }
            | Self::Io { .. } => false,
        }
    }
}

/// What a database or its driver said; the driver's own type stays here.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DatabaseError(sqlx::Error);

impl DatabaseError {
    fn is_unavailable(&self) -> bool {
        use sqlx::Error;
        match &self.0 {
            Error::Io(_)
            | Error::Tls(_)
            | Error::Protocol(_)
            | Error::PoolTimedOut
            | Error::PoolClosed
            | Error::WorkerCrashed => true,
            // PostgreSQL: no connection, no resources, a server that ends or begins. SQLite: input or
            // output that fails, and a disk that is full.
            Error::Database(error) => {
                let code = error.code().unwrap_or_default();
                match code.len() {
                    5 => ["08", "53", "57P", "58"]
                        .iter()
                        .any(|class| code.starts_with(class)),
                    _ => matches!(code.parse().map(|code: u32| code & 0xff), Ok(10 | 13 | 14)),
                }
            }
            _ => false,
        }
    }

    fn is_passing(&self) -> bool {
        // PostgreSQL: a deadlock, a conflict, a lock that somebody kept. SQLite has one writer, ours.
        let code = match &self.0 {
            sqlx::Error::Database(error) => error.code(),
            _ => None,
        };
        matches!(code.as_deref(), Some("40P01" | "40001" | "55P03"))
    }

    pub(crate) fn into_inner(self) -> sqlx::Error {
        self.0
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(DatabaseError(error))
    }
}
