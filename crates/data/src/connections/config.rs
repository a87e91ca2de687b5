use std::fmt;
use std::time::Duration;

use crate::records::Dialect;

/// How to reach the database of a connection.
#[derive(Clone, Debug)]
pub struct ConnectionConfig {
    /// The name, by which data models say where they are.
    pub name: String,
    /// Where the database is.
    pub url: ConnectionUrl,
    /// Whether it may only be read; the database itself is told so.
    pub read_only: bool,
    /// Whether a table may be made there by which a write that was cut off is settled.
    pub marker: bool,
    /// The schemas that are looked at; all that are not the system's own when it is empty.
    pub schemas: Vec<String>,
    /// At most so many sessions at the same time.
    pub sessions: u32,
    /// How long somebody else's lock is waited for.
    pub lock_timeout: Duration,
    /// How long a statement may take, where the database can be told.
    pub statement_timeout: Duration,
}

impl ConnectionConfig {
    /// The usual settings for the database at that URL.
    #[must_use]
    pub fn new(name: impl Into<String>, url: ConnectionUrl) -> Self {
        Self {
            name: name.into(),
            url,
            read_only: false,
            marker: false,
            schemas: Vec::new(),
            sessions: 8,
            lock_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
        }
    }
}

/// The URL of a database, with the secrets in it. What it displays has none.
#[derive(Clone, PartialEq, Eq)]
pub struct ConnectionUrl {
    text: String,
    dialect: Dialect,
}

impl ConnectionUrl {
    /// Reads a URL that begins with `sqlite:`, `postgres://` or `mysql://`.
    ///
    /// # Errors
    /// What would be right; nothing of the URL itself.
    pub fn parse(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        let scheme = text.split(':').next().unwrap_or_default();
        let dialect = match scheme {
            "sqlite" => Dialect::Sqlite,
            "postgres" | "postgresql" => Dialect::Postgres,
            "mysql" | "mariadb" => Dialect::Mysql,
            _ => {
                return Err(
                    "must be a URL that begins with sqlite:, postgres:// or mysql://".to_owned(),
                );
            }
        };
        Ok(Self { text, dialect })
    }

    /// The language of the database.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// With the secrets in it.
    pub(crate) fn reveal(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for ConnectionUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConnectionUrl({}, …)", self.dialect.name())
    }
}
