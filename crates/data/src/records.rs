//! Data models and their records: declared in YAML, read and written under a user's rights.
//!
//! Whatever a caller names goes through [`Access`]: what the user may not read is as if it did
//! not exist. Statements come from a query builder with bound values; none is ever text.

mod access;
mod activity;
mod catalog;
mod content;
mod criteria;
mod describe;
mod error;
mod export;
mod files;
mod functions;
mod ids;
mod input;
mod links;
mod migrate;
mod model;
mod names;
mod nearest;
mod plan;
mod query;
mod read;
mod restrictions;
mod rights;
mod run_sql;
pub mod sample;
mod scope;
mod search;
mod select;
mod sql;
mod sync;
mod title;
mod values;
mod viewer;
mod write;

pub use access::{Access, Narrowing, Subject};
pub use activity::{ActivityInput, activity};
pub use catalog::{Catalog, Database, Databases, MAIN};
pub use content::fetch::{FileContent, file};
pub use criteria::input::{Criteria, Operator};
pub use describe::{describe_model, list_models};
pub use error::{Busy, Problem, RecordError};
pub use export::{ExportInput, export};
pub(crate) use files::mapping::is_reserved;
pub use files::problem::{FileProblem, WorkspaceFile};
pub use functions::{LinkedModel, ModelFunction, values_schema};
pub use input::{
    CreateInput, DeleteInput, DescribeInput, Direction, OrderBy, ReadInput, RecordId, SearchInput,
    UpdateInput, UpdateItem,
};
pub use migrate::{MigrateError, MigrationPlan, MigrationStep, migrate, plan_migration};
pub use model::{Choice, Field, FieldType, KeyType, Limits, Mapping, Model, Rules, Through};
pub use plan::{
    FieldChange, Plan, PlanChange, PlanField, PlanRecord, Write, check_unchanged, plan,
};
pub use query::input::QueryInput;
pub use query::params::Params;
pub use query::query;
pub use query::saved::{QueryParam, SavedQueries, SavedQuery, query_saved};
pub use read::read;
pub use restrictions::{Audience, Form, MARKER, Recipient, Restrictions, Tags, TagsOf, Withheld};
pub use rights::{Grants, Operation};
pub use search::search;
pub use sql::Dialect;
pub use sql::column::ColumnType;
pub use sync::{SyncNote, SyncWhat, Synced, sync};
pub use title::{TitleOf, title};
pub use values::pattern::Pattern;
pub use viewer::{Viewed, viewed};
pub use write::create::create;
pub use write::delete::delete;
pub use write::update::update;
