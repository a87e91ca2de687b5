use crate::conn::Conn;
use crate::{Snapshot, StoreError, Unit};

/// What records are read from: a [`Unit`], which sees its own writes, or a [`Snapshot`].
pub trait ReadFrom: sealed::Source {}

impl ReadFrom for Unit {}
impl ReadFrom for Snapshot {}

impl sealed::Source for Unit {
    fn source(&mut self) -> Result<Conn<'_>, StoreError> {
        self.conn()
    }
}

impl sealed::Source for Snapshot {
    fn source(&mut self) -> Result<Conn<'_>, StoreError> {
        Ok(self.conn())
    }
}

mod sealed {
    use super::{Conn, StoreError};

    pub trait Source: Send {
        fn source(&mut self) -> Result<Conn<'_>, StoreError>;
    }
}
