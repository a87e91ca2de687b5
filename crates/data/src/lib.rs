//! Storage: the platform's own rows (`platform`), and data models with their records (`records`).
//!
//! `sqlx` never leaves this crate. Writes happen in a [`Unit`], reads in a [`Snapshot`].

mod clock;
mod conn;
mod connections;
mod error;
#[doc(hidden)]
pub mod faults;
mod new_ids;
mod notices;
pub mod platform;
mod postgres;
pub mod records;
mod sqlite;
mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod unit;

pub use clock::{Clock, ManualClock};
pub use connections::introspect;
pub use connections::{ConnectionConfig, ConnectionUrl, Connections, Written};
pub use error::{DatabaseError, StoreError};
pub use notices::{NoNotice, Notice, Notices};
pub use store::{Store, StoreLock, StoreOptions};
pub use unit::{ReadFrom, Snapshot, Unit};
