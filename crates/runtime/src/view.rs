//! Rows as clients see them.

pub(crate) mod approval;
pub(crate) mod call;
pub(crate) mod conversation;
pub(crate) mod document;

use jiff::Timestamp;

/// A stored time, as RFC 3339.
#[must_use]
pub fn time(micros: i64) -> String {
    Timestamp::from_microsecond(micros)
        .map(|at| at.to_string())
        .unwrap_or_default()
}
