//! Databases that data models live in, beside the platform's own.

mod config;
pub mod introspect;
pub(crate) mod marker;
mod pool;
pub(crate) mod transaction;

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::OnceCell;
use toolcrib::id::CallId;

pub use self::config::{ConnectionConfig, ConnectionUrl};
use self::pool::Pool;
use self::transaction::Transaction;
use crate::records::{Database, Databases, MAIN};
use crate::{Clock, Snapshot, StoreError, Unit};

/// The connections of an organisation. None is opened before it is needed.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<BTreeMap<String, Connection>>);

#[derive(Debug)]
struct Connection {
    config: ConnectionConfig,
    pool: Pool,
    /// Whether the table of marks is there.
    marks: OnceCell<()>,
}

impl Connections {
    /// Connections as they are configured.
    ///
    /// # Errors
    /// When a URL is none; the error names the connection and holds nothing of the URL.
    pub fn new(configs: impl IntoIterator<Item = ConnectionConfig>) -> Result<Self, StoreError> {
        let mut connections = BTreeMap::new();
        for config in configs {
            if config.name == MAIN {
                return Err(StoreError::Connection {
                    name: config.name,
                    reason: "this is the name of Toolcrib's own database; take another".to_owned(),
                });
            }
            let pool = Pool::new(&config)?;
            let connection = Connection {
                config,
                pool,
                marks: OnceCell::new(),
            };
            connections.insert(connection.config.name.clone(), connection);
        }
        Ok(Self(Arc::new(connections)))
    }

    /// What data models have to know of the databases.
    #[must_use]
    pub fn databases(&self) -> Databases {
        let database = |config: &ConnectionConfig| Database {
            dialect: config.url.dialect(),
            read_only: config.read_only,
        };
        let all = self.configs();
        all.map(|config| (config.name.clone(), database(config)))
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
        let view = self.get(name)?.pool.view().await;
        view.map_err(|error| match error {
            StoreError::Database(error) => said(name, error.into_inner()),
            other => other,
        })
    }

    pub(super) async fn read_on(&self, name: &str) -> Result<Transaction, StoreError> {
        let view = self.get(name)?.pool.read().await;
        view.map_err(|error| said(name, error))
    }

    #[cfg(feature = "testing")]
    pub(super) async fn write_on(&self, name: &str) -> Result<Transaction, StoreError> {
        let begun = self.get(name)?.pool.write().await;
        begun.map_err(|error| said(name, error))
    }

    /// Begins a unit of work on one connection's database.
    ///
    /// # Errors
    /// When the database can't be reached, or the connection may only read.
    pub async fn unit(&self, name: &str, clock: &Clock) -> Result<Unit, StoreError> {
        let connection = self.get(name)?;
        if connection.config.read_only {
            return Err(StoreError::Connection {
                name: name.to_owned(),
                reason: "it may only be read".to_owned(),
            });
        }
        let reached = |error| said(name, error);
        if connection.config.marker {
            let prepared = connection.marks.get_or_try_init(|| async {
                // It may be there, made by somebody with more rights.
                let mut begun = connection.pool.write().await.map_err(reached)?;
                if marker::prune(&mut begun.conn(), clock.micros())
                    .await
                    .is_ok()
                {
                    return begun.commit().await;
                }
                drop(begun);
                let mut begun = connection.pool.write().await.map_err(reached)?;
                marker::create(&mut begun.conn()).await?;
                begun.commit().await
            });
            prepared.await?;
        }
        let begun = connection.pool.write().await;
        begun.map(Unit::on).map_err(reached)
    }

    /// What is known of a write that was cut off.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub async fn written(&self, name: &str, call: CallId) -> Result<Written, StoreError> {
        let connection = self.get(name)?;
        if !connection.config.marker {
            return Ok(Written::Unknown);
        }
        let reached = |error| said(name, error);
        let call = call.to_string();
        // A commit that is still under way holds the mark's key: this waits for its end.
        let mut unit = connection.pool.write().await.map_err(reached)?;
        let set = marker::set(&mut unit.conn(), &call, "", 0).await;
        drop(unit);
        if set.is_ok() {
            return Ok(Written::Nothing);
        }
        let mut view = connection.pool.read().await.map_err(reached)?;
        let found = marker::find(&mut view.conn(), &call).await?;
        Ok(found.map_or(Written::Unknown, Written::Result))
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

/// What is known of a write that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is there, and this came of it.
    Result(String),
    /// It is not there.
    Nothing,
    /// Nobody knows: the connection keeps no marks.
    Unknown,
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
