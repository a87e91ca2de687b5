//! Calls and their events.

use sqlx::SqliteConnection;

use crate::StoreError;

/// The rows of one call: itself, and what happened to it.
#[derive(Clone, Debug)]
pub struct CallRows {}

impl CallRows {
    pub(crate) async fn write(_conn: &mut SqliteConnection, _rows: &[&CallRows]) -> Result<(), StoreError> {
        Ok(())
    }
}
