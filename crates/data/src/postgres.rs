//! The platform's own rows in PostgreSQL: a pool, whose server groups commits by itself.

pub(crate) mod open;
