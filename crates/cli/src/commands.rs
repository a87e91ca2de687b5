//! One file a command.

pub(crate) mod call;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod init;
pub(crate) mod models;
pub(crate) mod serve;
pub(crate) mod token;
pub(crate) mod tools;
pub(crate) mod user;
