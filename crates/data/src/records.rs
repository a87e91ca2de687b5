//! Data models and their records.
