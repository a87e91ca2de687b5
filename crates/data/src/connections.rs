//! Databases that data models live in, beside the platform's own.

mod config;
mod pool;
pub(crate) mod transaction;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::config::{ConnectionConfig, ConnectionUrl};
use self::pool::Pool;
use crate::records::Dialect;
use crate::{Snapshot, StoreError, Unit};

/// The connections of an organisation. None is opened before it is needed.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<BTreeMap<String, Connection>>);

#[derive(Debug)]
struct Connection {
    config: ConnectionConfig,
    pool: Pool,
}

impl Connections {
    /// Connections as they are configured.
    ///
    /// # Errors
    /// When a URL is none; the error names the connection and holds nothing of the URL.
    pub fn new(configs: impl IntoIterator<Item = ConnectionConfig>) -> Result<Self, StoreError> {
        let mut connections = BTreeMap::new();
        for config in configs {
            let pool = Pool::new(&config)?;
            connections.insert(config.name.clone(), Connection { config, pool });
        }
        Ok(Self(Arc::new(connections)))
    }

    /// The language of each connection's database, by the connection's name.
    #[must_use]
    pub fn dialects(&self) -> BTreeMap<String, Dialect> {
        let all = self.0.iter();
        all.map(|(name, one)| (name.clone(), one.config.url.dialect()))
            .collect()
    }

    /// The connections, as they are configured.
    pub fn configs(&self) -> impl Iterator<Item = &ConnectionConfig> {
        self.0.values().map(|connection| &connection.config)
    }

    /// How one of them is configured.
    #[must_use]
    pub fn config(&self, name: &str) -> Option<&ConnectionConfig> {
        self.0.get(name).map(|connection| &connection.config)
    }

    /// A view of one connection's database at one moment.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub async fn snapshot(&self, name: &str) -> Result<Snapshot, StoreError> {
        let pool = &self.get(name)?.pool;
        let view = pool.read().await;
        view.map(Snapshot::on).map_err(|error| said(name, error))
    }

    /// Begins a unit of work on one connection's database.
    ///
    /// # Errors
    /// When the database can't be reached, or the connection may only read.
    pub async fn unit(&self, name: &str) -> Result<Unit, StoreError> {
        let connection = self.get(name)?;
        if connection.config.read_only {
            return Err(StoreError::Connection {
                name: name.to_owned(),
                reason: "it may only be read".to_owned(),
            });
        }
        let begun = connection.pool.write().await;
        begun.map(Unit::on).map_err(|error| said(name, error))
    }

    /// Closes all of them.
    pub async fn close(&self) {
        for connection in self.0.values() {
            connection.pool.close().await;
        }
    }

    fn get(&self, name: &str) -> Result<&Connection, StoreError> {
        self.0.get(name).ok_or_else(|| StoreError::NoConnection {
            name: name.to_owned(),
        })
    }
}

/// The error of a connection, by its name.
fn said(name: &str, error: sqlx::Error) -> StoreError {
    StoreError::Connection {
        name: name.to_owned(),
        reason: match error {
            sqlx::Error::PoolTimedOut => "no connection came free in time".to_owned(),
            other => other.to_string(),
        },
    }
}
