use sqlx::{MySql, Postgres, Sqlite};

use crate::StoreError;
use crate::conn::Conn;
use crate::faults;

/// A transaction on a connection of data models. It is undone when it is dropped.
#[derive(Debug)]
pub(crate) enum Transaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
    Mysql(sqlx::Transaction<'static, MySql>),
}

impl Transaction {
    pub(crate) fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(transaction) => Conn::Sqlite(transaction),
            Self::Postgres(transaction) => Conn::Postgres(transaction),
            Self::Mysql(transaction) => Conn::Mysql(transaction),
        }
    }

    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        faults::boundary();
        match self {
            Self::Sqlite(transaction) => transaction.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
            Self::Mysql(transaction) => transaction.commit().await?,
        }
        faults::boundary();
        Ok(())
    }
}
