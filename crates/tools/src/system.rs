//! Tools of the platform itself.

pub(crate) mod current_user;
