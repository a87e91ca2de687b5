use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::Person;

/// A file of the workspace.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentView {
    /// Its path in the workspace, for example `models/order.yaml`.
    pub path: String,
    /// `file` for one of the workspace folder, which is changed there; `web` for one made here.
    pub origin: String,
    /// The version to name when it is changed; none for a file of the folder.
    pub version: Option<i64>,
    /// What is in it.
    pub text: String,
    /// The same as JSON, where it is YAML.
    #[schema(value_type = Option<Object>)]
    pub definition: Option<Value>,
    /// When it was saved last.
    pub saved_at: Option<String>,
    /// Who saved it last.
    pub saved_by: Option<Person>,
}

/// What a save did, or would do.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedDocument {
    /// The path.
    pub path: String,
    /// The version that it is at.
    pub version: Option<i64>,
    /// What is in it; none once it is deleted.
    pub text: Option<String>,
    /// The same as JSON, where it is YAML.
    #[schema(value_type = Option<Object>)]
    pub definition: Option<Value>,
    /// What is done to the tables of data models, in order.
    pub steps: Vec<String>,
    /// What of the stored records is lost by it.
    pub losses: Vec<String>,
    /// What of it may not mean what it says.
    pub warnings: Vec<String>,
    /// Whether it was saved; not if it was only tried out.
    pub saved: bool,
}

/// What an editor set of a tool, as a file of the workspace would say it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RowFile {
    /// Its path in the workspace, for example `tools/update_record.yaml`.
    pub path: String,
    /// What would be in it.
    pub text: String,
}

/// A data model in the list of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// The name in calls.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The same for several.
    pub title_plural: String,
    /// The file that declares it.
    pub path: String,
    /// `file` or `web`, as of a document.
    pub origin: String,
    /// The version to name when it is changed; none for a file of the folder.
    pub version: Option<i64>,
    /// The connection that its records are on; none for the platform's own database.
    pub connection: Option<String>,
    /// The table or view there.
    pub table: Option<String>,
    /// Whether its records can be read alone.
    pub read_only: bool,
    /// How many fields it has.
    pub fields: usize,
}

/// A database that data models may be in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    /// The name that data models have for it.
    pub name: String,
    /// `sqlite`, `postgres` or `mysql`.
    pub database: String,
    /// Whether it can be read alone.
    pub read_only: bool,
    /// How many data models are in it.
    pub models: usize,
}

/// The data models, and where their records are.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ModelsView {
    /// The models, by name.
    pub models: Vec<ModelView>,
    /// The connections, the platform's own database first.
    pub connections: Vec<ConnectionView>,
}
