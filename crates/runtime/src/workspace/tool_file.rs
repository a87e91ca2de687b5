//! A tool's row as a file of the workspace: while it is there, the row says what the file says.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolcrib_counter::{OwnedRow, Registry, ToolChange, check_tool};
use toolcrib_data::platform::tools::{
    ApprovalTerms, Audience, ToolEvents, ToolHooks, ToolSettings, ToolState,
};
use toolcrib_data::records::{FileProblem, LinkedModel, WorkspaceFile};

use super::yaml::{self, Told};

/// A tool's row, as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolFile {
    path: String,
    tool: String,
    change: ToolChange,
    /// With whom it is shared, by address.
    emails: Vec<String>,
}

/// The keys of the file. A system tool is named by its key alone, and what is left out is as usual.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", alias = "requiresApproval")]
    requires_approval: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "interruptConfig")]
    interrupt: Option<Interrupt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    composer: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audience: Option<Shared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", alias = "buttonLabel")]
    button_label: Option<String>,
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", alias = "timeoutMs")]
    timeout: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", alias = "outputSchema")]
    output_schema: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<ApprovalTerms>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<ToolEvents>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hooks: Option<ToolHooks>,
}

/// Another spelling of what asks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Interrupt {
    #[serde(rename = "interruptBefore")]
    before: bool,
}

/// With whom a tool is shared: a word, or users and roles.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Shared {
    Word(Word),
    With(With),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    /// Everybody.
    Everyone,
    /// Those that its agents are for; without an agent, those who may edit it.
    Agents,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct With {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    users: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roles: Vec<String>,
}

impl ToolFile {
    /// Whether a file in `tools/` is one of a row, and not of a data model.
    pub(crate) fn is_one(file: &WorkspaceFile) -> bool {
        let read: Result<Value, _> = serde_saphyr::from_str(&file.text);
        read.is_ok_and(|read| read.get("tool").is_some())
    }

    /// Reads a file; there are the built-in tools, and those of linked data models.
    pub(crate) fn read(file: &WorkspaceFile, linked: &[LinkedModel]) -> Result<Self, FileProblem> {
        let problem = |(line, column, message): Told| FileProblem {
            path: file.path.clone(),
            line,
            column,
            message,
        };
        let at = |told: String| {
            let (line, column) = yaml::place_of_key(&file.text, &told);
            problem((line, column, told))
        };
        let written: Written = yaml::read(&file.text, 0).map_err(problem)?;
        let tool = written.tool.clone();
        let level = toolcrib_tools::level_of(&tool, linked)
            .ok_or_else(|| at(yaml::unknown_tool(&tool, linked)))?;
        let (change, emails) = written.change().map_err(at)?;
        check_tool(&change, level).map_err(at)?;
        Ok(Self {
            path: file.path.clone(),
            tool,
            change,
            emails,
        })
    }

    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Why its hooks can't be had, if this server has others.
    pub(crate) fn check_hooks(&self, registry: &Registry) -> Option<FileProblem> {
        let settings = self.change.settings.as_ref()?;
        let message = registry.check_hooks(&self.tool, &settings.hooks).err()?;
        Some(FileProblem {
            path: self.path.clone(),
            line: 1,
            column: 1,
            message,
        })
    }

    /// What the registry is told. An address that nobody has shares with nobody.
    pub(crate) fn owned(&self, user: impl Fn(&str) -> Option<toolcrib::id::UserId>) -> OwnedRow {
        let mut change = self.change.clone();
        if let Some(Some(audience)) = &mut change.audience {
            for email in &self.emails {
                match user(email) {
                    Some(user) => audience.users.push(user),
                    None => {
                        tracing::warn!(
                            path = self.path,
                            email,
                            "a tool is shared with an address that nobody has"
                        );
                    }
                }
            }
        }
        OwnedRow {
            tool: self.tool.clone(),
            path: self.path.clone(),
            change,
        }
    }

    /// The file of a row, and where it would be.
    pub(crate) fn written(
        tool: &str,
        state: &ToolState,
        usual: &ToolState,
        email: impl Fn(toolcrib::id::UserId) -> Option<String>,
    ) -> (String, String) {
        fn unusual<T: Clone + PartialEq>(value: &T, usual: &T) -> Option<T> {
            (value != usual).then(|| value.clone())
        }
        let settings = &state.settings;
        let written = Written {
            tool: tool.to_owned(),
            enabled: unusual(&state.enabled, &usual.enabled),
            requires_approval: unusual(&state.requires_approval, &usual.requires_approval),
            interrupt: None,
            composer: unusual(&state.composer, &usual.composer),
            roles: unusual(&state.roles, &usual.roles),
            audience: unusual(&state.audience, &usual.audience).map(|audience| match audience {
                None => Shared::Word(Word::Agents),
                Some(audience) if audience.everyone => Shared::Word(Word::Everyone),
                Some(audience) => Shared::With(With {
                    users: audience.users.into_iter().filter_map(email).collect(),
                    roles: audience.roles,
                }),
            }),
            icon: settings.icon.clone(),
            button_label: settings.button_label.clone(),
            timeout: settings.timeout_ms,
            output_schema: settings
                .output_schema
                .as_ref()
                .and_then(Value::as_object)
                .cloned(),
            approval: unusual(&settings.approval, &ApprovalTerms::default()),
            events: unusual(&settings.events, &ToolEvents::default()),
            hooks: unusual(&settings.hooks, &ToolHooks::default()),
        };
        let text = serde_saphyr::to_string(&written).unwrap_or_default();
        (format!("tools/{}.yaml", tool.to_lowercase()), text)
    }
}

impl Written {
    fn change(self) -> Result<(ToolChange, Vec<String>), String> {
        let asks = match (self.requires_approval, self.interrupt) {
            (Some(_), Some(_)) => {
                return Err(
                    "requires_approval and interruptConfig say the same; give one".to_owned(),
                );
            }
            (asks, interrupt) => asks.or(interrupt.map(|interrupt| interrupt.before)),
        };
        let mut emails = Vec::new();
        let audience = self.audience.map(|shared| match shared {
            Shared::Word(Word::Agents) => None,
            Shared::Word(Word::Everyone) => Some(Audience {
                everyone: true,
                ..Audience::default()
            }),
            Shared::With(with) => {
                emails = with.users;
                Some(Audience {
                    roles: with.roles,
                    ..Audience::default()
                })
            }
        });
        let settings = ToolSettings {
            icon: self.icon,
            button_label: self.button_label,
            timeout_ms: self.timeout,
            output_schema: self.output_schema.map(Value::Object),
            approval: self.approval.unwrap_or_default(),
            events: self.events.unwrap_or_default(),
            hooks: self.hooks.unwrap_or_default(),
        };
        let change = ToolChange {
            enabled: self.enabled,
            requires_approval: asks,
            composer: self.composer,
            roles: self.roles,
            audience,
            settings: Some(settings),
        };
        Ok((change, emails))
    }
}
