use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolcrib_data::platform::tools::ToolVersion;
use toolcrib_runtime::Person;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::page::List;
use crate::params::InPath;

/// A saved version of a tool.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Version {
    /// Its number.
    version: i64,
    /// When it was saved.
    saved_at: String,
    /// Who saved it; nobody where a release did.
    saved_by: Option<Person>,
    /// What it changed of the version before.
    changes: Vec<VersionChange>,
    /// Whether it can be restored: of the oldest not enough is kept.
    can_restore: bool,
}

/// One thing that a version changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VersionChange {
    /// What, for example `settings.timeoutMs`.
    path: String,
    /// What it was.
    #[schema(value_type = Object)]
    before: Value,
    /// What it became.
    #[schema(value_type = Object)]
    after: Value,
}

/// The versions of a tool, the newest first, each with what it changed.
#[utoipa::path(get, path = "/api/tools/{name}/versions", tag = "tools", params(("name" = String, Path)),
    responses((status = 200, body = List<Version>), (status = 403, description = "Not for this user")))]
pub(crate) async fn versions(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
) -> Result<Json<List<Version>>, ApiError> {
    let runtime = &app.runtime;
    let registry = runtime.counter().registry();
    let versions = registry
        .versions(runtime.store(), &principal, &name)
        .await?;
    let people = runtime.users().await?;
    let mut views = Vec::new();
    for (index, version) in versions.iter().enumerate() {
        let before = versions.get(index + 1).map(flat).unwrap_or_default();
        views.push(Version {
            version: version.version,
            saved_at: toolcrib_runtime::time(version.saved_at),
            saved_by: version.saved_by.map(|id| Person {
                id: id.to_string(),
                name: people
                    .iter()
                    .find(|user| user.id == id)
                    .map(|user| user.name.clone())
                    .unwrap_or_default(),
            }),
            changes: changes(&before, &flat(version)),
            can_restore: version.state.is_some(),
        });
    }
    Ok(Json(List::whole(views)))
}

/// What a version says, value by value under a dotted path; schemas stay whole.
fn flat(version: &ToolVersion) -> Map<String, Value> {
    let mut found = Map::new();
    let state = serde_json::to_value(&version.state).unwrap_or_default();
    found.insert("title".into(), json!(version.title));
    found.insert("description".into(), json!(version.description));
    found.insert("inputSchema".into(), version.input_schema.clone());
    found.insert("config".into(), version.config.clone());
    for (key, value) in state.as_object().into_iter().flatten() {
        match value.as_object().filter(|_| key == "settings") {
            Some(settings) => flatten("settings", settings, &mut found),
            None => drop(found.insert(key.clone(), value.clone())),
        }
    }
    found
}

fn flatten(path: &str, map: &Map<String, Value>, into: &mut Map<String, Value>) {
    for (key, value) in map {
        let path = format!("{path}.{key}");
        match value.as_object().filter(|_| key == "approval") {
            Some(inner) => flatten(&path, inner, into),
            None => drop(into.insert(path, value.clone())),
        }
    }
}

fn changes(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<VersionChange> {
    if before.is_empty() {
        return Vec::new();
    }
    let mut paths: Vec<&String> = after.keys().chain(before.keys()).collect();
    paths.sort();
    paths.dedup();
    let of = |map: &Map<String, Value>, path: &str| map.get(path).cloned().unwrap_or_default();
    paths
        .into_iter()
        .map(|path| VersionChange {
            path: path.clone(),
            before: of(before, path),
            after: of(after, path),
        })
        .filter(|change| {
            change.before != change.after && !(is_usual(&change.before) && is_usual(&change.after))
        })
        .collect()
}

/// What is not said is as usual: that it is said to be so changes nothing.
fn is_usual(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
