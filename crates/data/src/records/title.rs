use super::access::Access;
use super::activity::ActivityInput;
use super::export::ExportInput;
use super::input::{
    CreateInput, DeleteInput, DescribeInput, ReadInput, RecordId, SearchInput, UpdateInput,
};
use super::nearest::clip;
use super::query::input::QueryInput;

/// A call to be named.
#[derive(Clone, Copy, Debug)]
pub enum TitleOf<'a> {
    /// `list_models`
    List,
    /// `describe_model`
    Describe(&'a DescribeInput),
    /// `create_record`
    Create(&'a CreateInput),
    /// `read_record`
    Read(&'a ReadInput),
    /// `update_record`
    Update(&'a UpdateInput),
    /// `delete_record`
    Delete(&'a DeleteInput),
    /// `search_records`
    Search(&'a SearchInput),
    /// `export_records`
    Export(&'a ExportInput),
    /// `query_records`
    Query(&'a QueryInput),
    /// `read_activity`
    Activity(&'a ActivityInput),
}

/// Names a call by its input alone: "Search orders", "Read order 42", "Delete 3 orders".
#[must_use]
pub fn title(access: &Access, of: TitleOf<'_>) -> String {
    match of {
        TitleOf::List => "List data models".to_owned(),
        TitleOf::Describe(input) => format!("Describe {}", noun(access, &input.model, 2)),
        TitleOf::Search(input) => format!("Search {}", noun(access, &input.model, 2)),
        TitleOf::Export(input) => format!("Export {}", noun(access, &input.model, 2)),
        TitleOf::Query(input) => format!("Query {}", noun(access, &input.from.model, 2)),
        TitleOf::Create(input) => match &input.records {
            Some(records) => counted(access, "Create", &input.model, records.len()),
            None => format!("Create {}", noun(access, &input.model, 1)),
        },
        TitleOf::Activity(input) => named(
            access,
            "Read the activity of",
            &input.model,
            Some(&input.id),
            None,
        ),
        TitleOf::Read(input) => named(
            access,
            "Read",
            &input.model,
            input.id.as_ref(),
            input.ids.as_ref().map(Vec::len),
        ),
        TitleOf::Delete(input) => named(
            access,
            "Delete",
            &input.model,
            input.id.as_ref(),
            input.ids.as_ref().map(Vec::len),
        ),
        TitleOf::Update(input) => named(
            access,
            "Update",
            &input.model,
            input.id.as_ref(),
            input.records.as_ref().map(Vec::len),
        ),
    }
}

fn named(
    access: &Access,
    verb: &str,
    model: &str,
    id: Option<&RecordId>,
    count: Option<usize>,
) -> String {
    match (id, count) {
        (Some(RecordId::Number(id)), None) => format!("{verb} {} {id}", noun(access, model, 1)),
        (Some(RecordId::Text(id)), None) => {
            format!("{verb} {} {}", noun(access, model, 1), clip(id))
        }
        (_, count) => counted(access, verb, model, count.unwrap_or(1)),
    }
}

fn counted(access: &Access, verb: &str, model: &str, count: usize) -> String {
    format!("{verb} {count} {}", noun(access, model, count))
}

/// The model's own words, if the user may know of it; else what was written.
fn noun(access: &Access, model: &str, count: usize) -> String {
    access
        .known_models()
        .find(|known| known.name == model)
        .map_or_else(
            || format!("{} records", clip(model)),
            |known| known.noun(count),
        )
}
