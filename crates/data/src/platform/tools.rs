//! The registry's rows: tools and their versions.

mod settings;
mod versions;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use toolcrib::id::{OrgId, UserId};

pub use settings::{ApprovalTerms, EventSwitch, HookUse, ToolEvents, ToolHooks, ToolSettings};
pub use versions::{ToolState, ToolVersion, versions};

use super::row::{json, to_json};
use crate::platform::sql::{Row, sql};
use crate::unit::sealed::AsConn as _;
use crate::{ReadFrom, StoreError, Unit};

/// A tool at one version.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolRow {
    /// The name that models call.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// The version, from 1; 0 before the first save.
    pub version: i64,
    /// The digest of the version: what a grant or an approval binds to.
    pub digest: String,
    /// The name for people.
    pub title: String,
    /// What it does and returns, for the model.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// What its kind needs to run it.
    pub config: Value,
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
    /// The element that brought it.
    pub source: Option<String>,
    /// What else an editor says of it.
    pub settings: ToolSettings,
}

/// With whom a tool is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Audience {
    /// Everybody in the organisation.
    pub everyone: bool,
    /// These users.
    pub users: Vec<UserId>,
    /// Users with one of these roles.
    pub roles: Vec<String>,
}

impl ToolRow {
    /// The digest of what this row says.
    #[must_use]
    pub fn compute_digest(&self) -> String {
        let mut hash = Sha256::new();
        let parts = [
            self.name.as_str(),
            &self.kind,
            &self.title,
            &self.description,
            &self.input_schema.to_string(),
            &self.config.to_string(),
            if self.requires_approval {
                "asks"
            } else {
                "runs"
            },
        ];
        let settings = self.settings.digested();
        for part in parts.into_iter().chain(settings.as_deref()) {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        hex::encode(hash.finalize())
    }
}

fn read_row(row: &Row) -> Result<ToolRow, StoreError> {
    Ok(ToolRow {
        name: row.try_get("name")?,
        kind: row.try_get("kind")?,
        version: row.try_get("version")?,
        digest: row.try_get("digest")?,
        title: row.try_get("title")?,
        description: row.try_get("description")?,
        input_schema: json(row, "input_schema")?,
        config: json(row, "config")?,
        enabled: row.try_get("enabled")?,
        requires_approval: row.try_get("requires_approval")?,
        composer: row.try_get("composer")?,
        audience: match row.try_get::<Option<&str>>("audience")? {
            Some(text) => {
                Some(
                    serde_json::from_str(text).map_err(|source| StoreError::Stored {
                        what: "audience",
                        source,
                    })?,
                )
            }
            None => None,
        },
        roles: json(row, "roles")?,
        source: row.try_get("source")?,
        settings: json(row, "settings")?,
    })
}

const SELECT: &str = "SELECT t.name, t.kind, t.version, v.digest, v.title, v.description, v.input_schema, v.config, \
    t.enabled, t.requires_approval, t.composer, t.audience, t.roles, t.source, t.settings \
    FROM tc_tools t JOIN tc_tool_versions v ON v.org_id = t.org_id AND v.name = t.name AND v.version = t.version";

/// All tools, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(from: &mut impl ReadFrom, org: OrgId) -> Result<Vec<ToolRow>, StoreError> {
    let rows = sql(format!("{SELECT} WHERE t.org_id = $1 ORDER BY t.name"))
        .bind(org.to_string())
        .fetch_all(&mut from.as_conn().await?)
        .await?;
    rows.iter().map(read_row).collect()
}

/// The tool of that name.
///
/// # Errors
/// When the database fails.
pub async fn get(
    from: &mut impl ReadFrom,
    org: OrgId,
    name: &str,
) -> Result<Option<ToolRow>, StoreError> {
    let row = sql(format!("{SELECT} WHERE t.org_id = $1 AND t.name = $2"))
        .bind(org.to_string())
        .bind(name)
        .fetch_optional(&mut from.as_conn().await?)
        .await?;
    row.as_ref().map(read_row).transpose()
}

/// Saves a tool as its next version, if it still stands at `tool.version`. Answers with the saved
/// row, or nothing when somebody else saved in between.
///
/// # Errors
/// When the database fails.
pub async fn save(
    unit: &mut Unit,
    org: OrgId,
    tool: &ToolRow,
    by: Option<UserId>,
    now: i64,
) -> Result<Option<ToolRow>, StoreError> {
    let saved = ToolRow {
        version: tool.version + 1,
        digest: tool.compute_digest(),
        ..tool.clone()
    };
    let written = sql(
        "INSERT INTO tc_tools (org_id, name, kind, version, enabled, requires_approval, composer, source, audience, roles, created_at, updated_at, settings) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $13) \
         ON CONFLICT (org_id, name) DO UPDATE SET kind = $3, version = $4, enabled = $5, requires_approval = $6, \
           composer = $7, source = $8, audience = $9, roles = $10, updated_at = $11, settings = $13 WHERE tc_tools.version = $12",
    )
    .bind(org.to_string())
    .bind(&saved.name)
    .bind(&saved.kind)
    .bind(saved.version)
    .bind(saved.enabled)
    .bind(saved.requires_approval)
    .bind(saved.composer)
    .bind(saved.source.as_deref())
    .bind(saved.audience.as_ref().map(|audience| to_json("audience", audience)).transpose()?)
    .bind(to_json("roles", &saved.roles)?)
    .bind(now)
    .bind(tool.version)
    .bind(to_json("settings", &saved.settings)?)
    .execute(&mut unit.as_conn().await?)
    .await?;
    if written.rows_affected() == 0 {
        return Ok(None);
    }
    sql(
        "INSERT INTO tc_tool_versions (org_id, name, version, digest, title, description, input_schema, config, saved_by, saved_at, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(org.to_string())
    .bind(&saved.name)
    .bind(saved.version)
    .bind(&saved.digest)
    .bind(&saved.title)
    .bind(&saved.description)
    .bind(to_json("input_schema", &saved.input_schema)?)
    .bind(to_json("config", &saved.config)?)
    .bind(by.map(|id| id.to_string()))
    .bind(now)
    .bind(to_json("state", &ToolState::of(&saved))?)
    .execute(&mut unit.as_conn().await?)
    .await?;
    Ok(Some(saved))
}
