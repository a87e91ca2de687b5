use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolcrib::id::{OrgId, UserId};

use super::settings::ToolSettings;
use super::{Audience, ToolRow};
use crate::platform::row::{json, parsed_opt};
use crate::platform::sql::sql;
use crate::{ReadFrom, StoreError};

/// All that an editor can set of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolState {
    /// Whether it can be used at all.
    pub enabled: bool,
    /// Whether a person is asked before each call.
    pub requires_approval: bool,
    /// Whether the composer offers it.
    pub composer: bool,
    /// Who may use it without an agent; unset means those who may edit it.
    pub audience: Option<Audience>,
    /// The roles that may call it; empty means all.
    pub roles: Vec<String>,
    /// What else there is to say.
    pub settings: ToolSettings,
}

impl ToolState {
    /// That of a row.
    #[must_use]
    pub fn of(row: &ToolRow) -> Self {
        Self {
            enabled: row.enabled,
            requires_approval: row.requires_approval,
            composer: row.composer,
            audience: row.audience.clone(),
            roles: row.roles.clone(),
            settings: row.settings.clone(),
        }
    }

    /// The row with this state.
    #[must_use]
    pub fn on(self, row: &ToolRow) -> ToolRow {
        ToolRow {
            enabled: self.enabled,
            requires_approval: self.requires_approval,
            composer: self.composer,
            audience: self.audience,
            roles: self.roles,
            settings: self.settings,
            ..row.clone()
        }
    }
}

/// A saved version of a tool.
#[derive(Clone, Debug)]
pub struct ToolVersion {
    /// Its number.
    pub version: i64,
    /// Who saved it; nobody where a release did.
    pub saved_by: Option<UserId>,
    /// When.
    pub saved_at: i64,
    /// The name for people.
    pub title: String,
    /// What the model reads.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// What its kind needs to run it.
    pub config: Value,
    /// What an editor had set; not kept of the oldest versions.
    pub state: Option<ToolState>,
}

/// The versions of a tool, the newest first.
///
/// # Errors
/// When the database fails.
pub async fn versions(
    from: &mut impl ReadFrom,
    org: OrgId,
    name: &str,
) -> Result<Vec<ToolVersion>, StoreError> {
    let rows = sql(
        "SELECT version, saved_by, saved_at, title, description, input_schema, config, state FROM tc_tool_versions \
         WHERE org_id = $1 AND name = $2 ORDER BY version DESC",
    )
    .bind(org.to_string())
    .bind(name)
    .fetch_all(&mut from.as_conn().await?)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ToolVersion {
                version: row.try_get("version")?,
                saved_by: parsed_opt(row, "saved_by")?,
                saved_at: row.try_get("saved_at")?,
                title: row.try_get("title")?,
                description: row.try_get("description")?,
                input_schema: json(row, "input_schema")?,
                config: json(row, "config")?,
                state: match row.try_get::<Option<&str>>("state")? {
                    Some(_) => Some(json(row, "state")?),
                    None => None,
                },
            })
        })
        .collect()
}
