//! Rows of tools as editors change them: each save is a version, and each version can be restored.

use std::sync::{Arc, PoisonError};

use toolcrib_data::platform::tools::{
    self, Audience, ToolHooks, ToolRow, ToolSettings, ToolState, ToolVersion,
};
use toolcrib_data::{Notice, Store, StoreError};

use super::{RegisteredTool, Registry};
use crate::Principal;
use crate::settings::{check, check_hooks};

/// What an editor may change in a tool's row; what is unset stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolChange {
    /// Whether it can be used at all.
    pub enabled: Option<bool>,
    /// Whether a person is asked before each call.
    pub requires_approval: Option<bool>,
    /// Whether the composer offers it.
    pub composer: Option<bool>,
    /// The roles that may call it; none for all.
    pub roles: Option<Vec<String>>,
    /// Who may use it without an agent; nobody said means those who may edit it.
    pub audience: Option<Option<Audience>>,
    /// What else there is to say, in place of all that was said.
    pub settings: Option<ToolSettings>,
}

impl ToolChange {
    pub(crate) fn on(&self, row: &ToolRow) -> ToolState {
        let now = ToolState::of(row);
        ToolState {
            enabled: self.enabled.unwrap_or(now.enabled),
            requires_approval: self.requires_approval.unwrap_or(now.requires_approval),
            composer: self.composer.unwrap_or(now.composer),
            audience: self.audience.clone().unwrap_or(now.audience),
            roles: self.roles.clone().unwrap_or(now.roles),
            settings: self.settings.clone().unwrap_or(now.settings),
        }
    }
}

/// Why a tool was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveToolError {
    /// There is no tool of that name.
    #[error("there is no tool named {0}")]
    Unknown(String),
    /// The caller may not edit tools.
    #[error("only administrators and builders may change a tool")]
    NotAllowed,
    /// A file of the workspace says the row.
    #[error(
        "this tool is set by the file {0} of the workspace; change it there, or take the file away to edit it here"
    )]
    OwnedByFile(String),
    /// Somebody saved in between.
    #[error("the tool was changed by somebody else; it is at version {version} now")]
    Changed {
        /// The version it is at.
        version: i64,
    },
    /// What was to be saved is not sound.
    #[error("{0}")]
    Unsound(String),
    /// There is no such version, or nothing is kept of it.
    #[error("version {0} can't be restored: nothing is kept of it")]
    NoVersion(i64),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// Saves a change of a tool's row as its next version.
    ///
    /// # Errors
    /// When the caller may not, the tool does not exist, or it is not at `version` any more.
    pub async fn save(
        &self,
        store: &Store,
        principal: &Principal,
        name: &str,
        version: i64,
        change: &ToolChange,
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let tool = self.editable(principal, name)?;
        if let Some(path) = &tool.file {
            return Err(SaveToolError::OwnedByFile(path.clone()));
        }
        let stored = tools::get(&mut store.snapshot().await?, self.org, name).await?;
        let stored = stored.ok_or_else(|| SaveToolError::Unknown(name.to_owned()))?;
        // On another server it may have been saved since this one read it.
        if stored.version != version {
            let version = stored.version;
            return Err(SaveToolError::Changed { version });
        }
        let state = change.on(&stored);
        self.save_state(store, principal, &tool, version, state)
            .await
    }

    /// Why a tool can't have those hooks, in a sentence. Of a tool that is not there yet, what it takes is not
    /// known.
    ///
    /// # Errors
    /// When it can't.
    pub fn check_hooks(&self, tool: &str, hooks: &ToolHooks) -> Result<(), String> {
        let built_in = self.built_in(tool);
        let schema = built_in.as_ref().map(|tool| &tool.spec.input_schema);
        check_hooks(hooks, self.hooks(), schema)
    }

    /// The tool of that name, if the user may edit it.
    fn editable(
        &self,
        principal: &Principal,
        name: &str,
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let tools = self.tools();
        let visible = tools
            .get(name)
            .filter(|tool| principal.may_edit() || tool.is_offered(principal, None));
        let tool = visible.ok_or_else(|| SaveToolError::Unknown(name.to_owned()))?;
        match principal.may_edit() {
            true => Ok(Arc::clone(tool)),
            false => Err(SaveToolError::NotAllowed),
        }
    }

    /// The versions of a tool, the newest first, for those who may edit it.
    ///
    /// # Errors
    /// When the caller may not, or the tool does not exist.
    pub async fn versions(
        &self,
        store: &Store,
        principal: &Principal,
        name: &str,
    ) -> Result<Vec<ToolVersion>, SaveToolError> {
        self.editable(principal, name)?;
        Ok(tools::versions(&mut store.snapshot().await?, self.org, name).await?)
    }

    /// Saves what an editor had set at an earlier version once more, as the next version. What the
    /// tool does is the release's to say, and stays.
    ///
    /// # Errors
    /// As [`Registry::save`], and when nothing is kept of that version.
    pub async fn restore(
        &self,
        store: &Store,
        principal: &Principal,
        name: &str,
        (version, earlier): (i64, i64),
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let tool = self.editable(principal, name)?;
        let versions = tools::versions(&mut store.snapshot().await?, self.org, name).await?;
        let found = versions.into_iter().find(|one| one.version == earlier);
        let state = found.and_then(|one| one.state);
        let state = state.ok_or(SaveToolError::NoVersion(earlier))?;
        self.save_state(store, principal, &tool, version, state)
            .await
    }

    async fn save_state(
        &self,
        store: &Store,
        principal: &Principal,
        tool: &RegisteredTool,
        version: i64,
        state: ToolState,
    ) -> Result<Arc<RegisteredTool>, SaveToolError> {
        let _turn = self.changing.lock().await;
        // As it is now: a file may have been put there since.
        if let Some(path) = self.row(&tool.row.name).and_then(|now| now.file.clone()) {
            return Err(SaveToolError::OwnedByFile(path));
        }
        check(&state, tool.level()).map_err(SaveToolError::Unsound)?;
        self.check_hooks(&tool.row.name, &state.settings.hooks)
            .map_err(SaveToolError::Unsound)?;
        let row = ToolRow {
            version,
            ..state.on(&tool.row)
        };
        let mut unit = store.unit().await?;
        let saved = tools::save(
            &mut unit,
            self.org,
            &row,
            Some(principal.user),
            store.clock().micros(),
        )
        .await?;
        let Some(saved) = saved else {
            return Err(SaveToolError::Changed {
                version: tool.row.version,
            });
        };
        Notice::Changed.give(&mut unit).await?;
        unit.commit().await?;
        let saved = self
            .register(saved, &tool.built_in)
            .map_err(|error| SaveToolError::Unsound(error.to_string()))?;
        let saved = Arc::new(saved);
        let mut current = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut current).insert(saved.row.name.clone(), Arc::clone(&saved));
        Ok(saved)
    }
}
