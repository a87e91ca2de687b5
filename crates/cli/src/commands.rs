//! One file a command.

pub(crate) mod audit;
pub(crate) mod call;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod export;
pub(crate) mod init;
pub(crate) mod models;
pub(crate) mod serve;
pub(crate) mod token;
pub(crate) mod tools;
pub(crate) mod user;

use std::io::Write as _;

/// Writes a line of an answer. Who reads no further, as `head` does, has read enough.
fn tell(line: impl std::fmt::Display) {
    drop(writeln!(std::io::stdout(), "{line}"));
}
