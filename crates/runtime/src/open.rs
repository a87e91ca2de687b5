//! What a start opens: the storage, and the workspace with what the storage holds of it.

use std::path::Path;

use toolcrib_data::platform::documents;
use toolcrib_data::platform::people;
use toolcrib_data::records::{Database, Databases, MAIN};
use toolcrib_data::{ConnectionUrl, Store, StoreLock, StoreOptions};

use crate::setup::{HasDatabase, prepare_sample};
use crate::{RuntimeError, RuntimeOptions, Workspace};

/// At most so many sessions on a PostgreSQL database of the platform's own.
const SESSIONS: u32 = 16;

/// What was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) store: Store,
    pub(crate) workspace: Workspace,
    /// The databases that data models may be in.
    pub(crate) databases: Databases,
    pub(crate) is_sample: bool,
}

/// Opens what the options name; `data` is the private part of the workspace folder.
pub(crate) async fn open(options: &RuntimeOptions, data: &Path) -> Result<Opened, RuntimeError> {
    let mut databases = options.connections.databases();
    let (store, is_sample) = match &options.database {
        None => embedded(options, data, &databases).await?,
        Some(url) => {
            let (store, is_sample) = on_server(options, data, url).await?;
            let main = Database {
                dialect: store.dialect(),
                read_only: false,
            };
            databases.insert(MAIN.to_owned(), main);
            (store, is_sample)
        }
    };
    let mut snapshot = store.snapshot().await?;
    let documents = match people::orgs(&mut snapshot).await?.first() {
        Some(org) => documents::current(&mut snapshot, org.id).await?,
        None => Vec::new(),
    };
    drop(snapshot);
    let workspace = Workspace::load_with(&options.dir, &documents, &databases)?;
    workspace.warn();
    Ok(Opened {
        store,
        workspace,
        databases,
        is_sample,
    })
}

async fn embedded(
    options: &RuntimeOptions,
    data: &Path,
    databases: &Databases,
) -> Result<(Store, bool), RuntimeError> {
    let mut store_options = StoreOptions::new(data.join("toolcrib.db"));
    // The lock comes before anything is written: of two starts on one folder one goes on.
    let lock = StoreLock::take(&store_options.path)?;
    let has_database = match store_options.path.exists() {
        true => HasDatabase::Yes,
        false => HasDatabase::No,
    };
    let is_sample = prepare_sample(&options.dir, data, has_database)?;
    if has_database == HasDatabase::No {
        // A folder that is not sound leaves no database behind.
        Workspace::load(&options.dir, databases)?;
    }
    store_options.clock = options.clock.clone();
    let store = Store::open_locked(store_options, lock).await?;
    Ok((store, is_sample))
}

async fn on_server(
    options: &RuntimeOptions,
    data: &Path,
    url: &ConnectionUrl,
) -> Result<(Store, bool), RuntimeError> {
    let store = Store::open_postgres(url, SESSIONS, options.clock.clone()).await?;
    let orgs = people::orgs(&mut store.snapshot().await?).await?;
    let has_database = match orgs.first() {
        Some(_) => HasDatabase::Yes,
        None => HasDatabase::No,
    };
    let is_sample = prepare_sample(&options.dir, data, has_database)?;
    Ok((store, is_sample))
}
