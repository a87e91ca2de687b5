use std::fmt;
use std::str::FromStr;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use toolcrib::id::RunId;

use crate::StoreError;

/// What servers on one PostgreSQL tell each other on.
pub(crate) const CHANNEL: &str = "toolcrib_stream";

/// The number that stands for a stop: batches count from 1.
pub(crate) const STOP: i64 = 0;

/// Says that something is new of a run; what, stands in the database alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The run.
    pub run: RunId,
    /// The number of the batch that was told.
    pub seq: i64,
}

impl Notice {
    /// Whether the run was asked to stop.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        self.seq == STOP
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.run, self.seq)
    }
}

impl FromStr for Notice {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (run, seq) = text.split_once(' ').ok_or(())?;
        Ok(Self {
            run: run.parse().map_err(|_| ())?,
            seq: seq.parse().map_err(|_| ())?,
        })
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

    /// The next one. What was said while the database was out of reach is lost.
    ///
    /// # Errors
    /// When the database is out of reach.
    pub async fn next(&mut self) -> Result<Notice, StoreError> {
        loop {
            // Anybody with the database in their hands may say anything.
            if let Ok(notice) = self.0.recv().await?.payload().parse() {
                return Ok(notice);
            }
        }
    }
}
