//! The kinds of tool, one folder each. A new built-in tool is its file and one line in
//! [`register`].

pub mod record;
mod system;

use std::sync::Arc;

use toolcrib_counter::{Level, Registry};
use toolcrib_data::records::{LinkedModel, ModelFunction};

use crate::record::RecordData;

/// The names of all built-in tools, for checks that need no database.
pub const NAMES: &[&str] = &[
    "list_models",
    "describe_model",
    "create_record",
    "read_record",
    "update_record",
    "delete_record",
    "search_records",
    "export_records",
    "query_records",
    "show_data",
    "save_query",
    "read_activity",
    "current_user",
];

/// Makes the functions of linked data models tools, in place of those that were; the built-in tools
/// that do them are there already.
pub fn link(registry: &Registry, data: &Arc<RecordData>, linked: &[LinkedModel]) {
    record::function::link(registry, data, linked);
}

/// How dangerous the tool of that name is, where it is built in or a function of a linked data model.
#[must_use]
pub fn level_of(name: &str, linked: &[LinkedModel]) -> Option<Level> {
    let destroys = |name: &str| name == "delete_record";
    if NAMES.contains(&name) {
        return Some(match destroys(name) {
            true => Level::Destructive,
            false => Level::Write,
        });
    }
    let mut functions = linked.iter().flat_map(|model| {
        let functions = model.functions.iter();
        functions.map(|function| (function.tool(&model.model), *function))
    });
    let (_, function) = functions.find(|(tool, _)| tool == name)?;
    Some(match function {
        ModelFunction::Delete => Level::Destructive,
        _ => Level::Write,
    })
}

/// Adds every built-in tool.
pub fn register(registry: &mut Registry, data: &Arc<RecordData>) {
    registry.add(record::list::ListModels::new(data));
    registry.add(record::describe::DescribeModel::new(data));
    registry.add(record::create::CreateRecord::new(data));
    registry.add(record::read::ReadRecord::new(data));
    registry.add(record::update::UpdateRecord::new(data));
    registry.add(record::delete::DeleteRecord::new(data));
    registry.add(record::search::SearchRecords::new(data));
    registry.add(record::export::ExportRecords::new(data));
    registry.add(record::query::QueryRecords::new(data));
    registry.add(record::show::ShowData::new(data));
    registry.add(record::activity::ReadActivity::new(data));
    registry.add(record::save_query::SaveQuery::new(data));
    registry.add(system::current_user::CurrentUser);
}
