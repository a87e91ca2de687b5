use super::{SqlError, Statement, execute};
use crate::StoreError;
use crate::conn::Conn;

/// What was written before a part of the work that may fail.
#[derive(Debug)]
pub(crate) enum Savepoint {
    /// It has to be gone back to.
    Set,
    /// SQLite undoes a statement that fails, and goes on.
    Needless,
}

/// Begins a part, of one statement, that can be undone alone.
pub(crate) async fn begin(conn: &mut Conn<'_>) -> Result<Savepoint, StoreError> {
    if matches!(conn, Conn::Sqlite(_)) {
        return Ok(Savepoint::Needless);
    }
    run(conn, "SAVEPOINT part").await?;
    Ok(Savepoint::Set)
}

impl Savepoint {
    /// Keeps the part.
    pub(crate) async fn release(self, conn: &mut Conn<'_>) -> Result<(), StoreError> {
        match self {
            Self::Set => run(conn, "RELEASE SAVEPOINT part").await,
            Self::Needless => Ok(()),
        }
    }

    /// Undoes the part.
    pub(crate) async fn undo(self, conn: &mut Conn<'_>) -> Result<(), StoreError> {
        if let Self::Set = self {
            run(conn, "ROLLBACK TO SAVEPOINT part").await?;
            run(conn, "RELEASE SAVEPOINT part").await?;
        }
        Ok(())
    }
}

async fn run(conn: &mut Conn<'_>, sql: &str) -> Result<(), StoreError> {
    let done = execute(conn, Statement::schema(sql.to_owned())).await;
    done.map(drop).map_err(SqlError::into)
}
