//! What a language model is told of the saved queries.

use toolcrib_data::records::{QueryParam, SavedQuery};

/// At most this many are told; a longer list would crowd out what the person asks.
const MOST: usize = 50;

/// The queries by name, each with what it is for and what it takes; nothing where there are none.
pub(super) fn listed<'q>(queries: impl Iterator<Item = &'q SavedQuery>) -> Option<String> {
    let lines: Vec<String> = queries.take(MOST).map(line).collect();
    if lines.is_empty() {
        return None;
    }
    let list = lines.join("\n");
    Some(format!("Saved queries for show_data (queryName):\n{list}"))
}

fn line(query: &SavedQuery) -> String {
    let about = query.description.as_deref().unwrap_or(&query.title);
    let params: Vec<String> = query.params.iter().map(param).collect();
    if params.is_empty() {
        return format!("- {}: {about}", query.name);
    }
    format!("- {}: {about} Params: {}.", query.name, params.join(", "))
}

fn param(param: &QueryParam) -> String {
    let needed = if param.required { ", required" } else { "" };
    format!("{} ({}{needed})", param.name, param.kind.name())
}
