use sqlx::SqliteConnection;

/// One connection, inside whatever transaction its owner began.
///
/// Code that runs statements takes `&mut Conn<'_>` and matches on the backend; it neither
/// begins nor ends a transaction.
#[derive(Debug)]
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
}

impl Conn<'_> {
    /// The SQLite connection; the only backend so far.
    pub(crate) fn sqlite(&mut self) -> &mut SqliteConnection {
        match self {
            Conn::Sqlite(conn) => conn,
        }
    }
}
