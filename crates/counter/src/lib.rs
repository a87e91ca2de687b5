//! counter.
