//! What servers on one PostgreSQL tell each other: that something is new, never what.

use std::fmt;
use std::str::FromStr;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use toolcrib::id::RunId;

use crate::conn::Conn;
use crate::platform::sql::sql;
use crate::unit::sealed::AsConn as _;
use crate::{StoreError, Unit};

const CHANNEL: &str = "toolcrib";

/// Says that something is new; what, stands in the database alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// More was told of a run.
    Told {
        /// The run.
        run: RunId,
        /// The number of the batch.
        seq: i64,
    },
    /// A run was asked to stop.
    Stop {
        /// The run.
        run: RunId,
    },
    /// A document of the workspace or the row of a tool was saved.
    Changed,
}

impl Notice {
    /// Gives notice when the unit is committed. An embedded database has no other servers.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn give(self, unit: &mut Unit) -> Result<(), StoreError> {
        let mut conn = unit.as_conn().await?;
        if matches!(conn, Conn::Postgres(_)) {
            sql("SELECT pg_notify($1, $2)")
                .bind(CHANNEL)
                .bind(self.to_string())
                .fetch_optional(&mut conn)
                .await?;
        }
        Ok(())
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Told { run, seq } => write!(f, "told {run} {seq}"),
            Self::Stop { run } => write!(f, "stop {run}"),
            Self::Changed => write!(f, "changed"),
        }
    }
}

/// What is no notice.
#[derive(Debug, thiserror::Error)]
#[error("this is no notice")]
pub struct NoNotice;

impl FromStr for Notice {
    type Err = NoNotice;

    fn from_str(text: &str) -> Result<Self, NoNotice> {
        let words: Vec<&str> = text.split(' ').collect();
        let run = |text: &str| text.parse::<RunId>().map_err(|_| NoNotice);
        match words.as_slice() {
            ["told", of, seq] => Ok(Self::Told {
                run: run(of)?,
                seq: seq.parse().map_err(|_| NoNotice)?,
            }),
            ["stop", of] => Ok(Self::Stop { run: run(of)? }),
            ["changed"] => Ok(Self::Changed),
            _ => Err(NoNotice),
        }
    }
}

/// Hears what other servers, and this one, give notice of.
#[derive(Debug)]
pub struct Notices(PgListener);

impl Notices {
    pub(crate) async fn on(pool: &PgPool) -> Result<Self, StoreError> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(Self(listener))
    }

    /// The next one; none when the connection was lost, and with it what was said in between.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&mut self) -> Result<Option<Notice>, StoreError> {
        while let Some(heard) = self.0.try_recv().await? {
            // Anybody with the database in their hands may say anything.
            if let Ok(notice) = heard.payload().parse() {
                return Ok(Some(notice));
            }
        }
        Ok(None)
    }
}
