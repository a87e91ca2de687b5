//! Reading the workspace's YAML files, with the place of every mistake.

mod field_type;
pub(super) mod grants;
pub(super) mod mapping;
pub(super) mod model;
pub(super) mod problem;
pub(super) mod reader;
pub(super) mod yaml;
