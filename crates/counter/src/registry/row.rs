//! Rows of tools as a release and the files of the workspace would have them.

use serde_json::{Value, json};
use toolcrib_data::platform::tools::{Audience, ToolRow, ToolSettings, ToolState};

use super::ToolChange;
use crate::Level;
use crate::tool::erased::BuiltIn;

/// A row that a file of the workspace says.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedRow {
    /// The tool.
    pub tool: String,
    /// The file.
    pub path: String,
    /// What it says; what it does not say is as usual.
    pub change: ToolChange,
}

/// Whether a row says already what it should.
pub(super) fn is_the_same(row: &ToolRow, wanted: &ToolRow) -> bool {
    row.digest == wanted.compute_digest() && ToolState::of(row) == ToolState::of(wanted)
}

/// The row as this release would have it: what it is comes from the code, its switches stay.
pub(super) fn wanted_row(built_in: &BuiltIn, existing: Option<&ToolRow>) -> ToolRow {
    let spec = &built_in.spec;
    let fresh = ToolRow {
        name: spec.name.to_string(),
        kind: spec.kind.to_owned(),
        version: 0,
        digest: String::new(),
        title: spec.title.to_string(),
        description: spec.description.to_string(),
        input_schema: spec.input_schema.clone(),
        config: match &built_in.function {
            None => json!({"key": spec.name}),
            Some((model, function)) => json!({"model": model, "function": function.name()}),
        },
        enabled: true,
        requires_approval: spec.level != Level::ReadOnly,
        composer: false,
        audience: Some(Audience {
            everyone: true,
            ..Audience::default()
        }),
        roles: Vec::new(),
        settings: ToolSettings::default(),
        source: built_in
            .function
            .as_ref()
            .map(|(model, _)| format!("model:{model}")),
    };
    match existing {
        None => fresh,
        Some(row) => ToolRow {
            version: row.version,
            ..ToolState::of(row).on(&fresh)
        },
    }
}

/// A schema without some of its parameters.
pub(super) fn without(schema: &Value, parameters: &[String]) -> Value {
    let mut schema = schema.clone();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !parameters.contains(name));
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !parameters.iter().any(|one| name == one));
    }
    schema
}
