use std::str::FromStr;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::{ConnectionUrl, StoreError};

/// How long a session is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens the sessions on the platform's own database.
pub(crate) async fn pool(url: &ConnectionUrl, sessions: u32) -> Result<PgPool, StoreError> {
    let unclear = |reason: &str| StoreError::Connection {
        name: "main".to_owned(),
        reason: reason.to_owned(),
    };
    let options = PgConnectOptions::from_str(url.reveal())
        .map_err(|_| unclear("its URL can't be understood"))?
        .application_name("toolcrib")
        .options([
            ("lock_timeout", "10s"),
            ("statement_timeout", "30s"),
            ("idle_in_transaction_session_timeout", "60s"),
            ("timezone", "UTC"),
            ("datestyle", "ISO"),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(sessions)
        .acquire_timeout(PATIENCE)
        .connect_with(options);
    pool.await.map_err(|error| unclear(&error.to_string()))
}
