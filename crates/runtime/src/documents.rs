//! Files of the workspace that are made in the web app: read, tried out, saved, and taken away.
//!
//! A save is checked with the whole workspace, brings the tables of data models up to date in its
//! own unit, and holds for every call that begins afterwards.

pub(crate) mod error;
pub(crate) mod path;
mod read;

use serde_json::Value;
use toolcrib::id::{OrgId, UserId};
use toolcrib_counter::Principal;
use toolcrib_data::platform::documents::{self, DocumentRow};
use toolcrib_data::platform::people;
use toolcrib_data::platform::tools::ToolState;
use toolcrib_data::records::{self, MigrateError, MigrationPlan};
use toolcrib_data::{Notice, StoreError, Unit};

use self::error::DocumentError;
use self::path::DocumentPath;
use crate::setup::bring_tables;
use crate::workspace::apply::check_rows;
use crate::workspace::tool_file::ToolFile;
use crate::{FileOrigin, RowFile, Runtime, SavedDocument, Workspace};

/// The longest document, in bytes.
const LARGEST: usize = 512 * 1024;

/// What is to become of a document.
#[derive(Clone, Debug)]
pub enum DocumentContent {
    /// Its text.
    Text(String),
    /// What a YAML file of it says.
    Definition(Value),
    /// It goes.
    Nothing,
}

/// A change of a document.
#[derive(Clone, Debug)]
pub struct DocumentChange {
    /// Where it is, or would be, in the workspace folder.
    pub path: String,
    /// What it becomes.
    pub content: DocumentContent,
    /// The version that is changed; none for a new document.
    pub version: Option<i64>,
    /// What may happen.
    pub mode: ChangeMode,
}

/// How far a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeMode {
    /// It is only tried out.
    DryRun,
    /// It is saved, unless stored records are lost by it.
    Keep,
    /// It is saved, whatever is lost by it.
    AllowDataLoss,
}

impl Runtime {
    /// What editors set of tools, as files would say it; nothing of those that are as usual, or that
    /// files say already.
    ///
    /// # Errors
    /// When the user may not edit tools, or storage fails.
    pub async fn row_files(&self, principal: &Principal) -> Result<Vec<RowFile>, DocumentError> {
        if !principal.may_edit() {
            return Err(DocumentError::NotAllowed);
        }
        let users = people::users(&mut self.store().snapshot().await?, principal.org).await?;
        let email = |id: UserId| {
            let found = users.iter().find(|user| user.id == id);
            found.map(|user| user.email.clone())
        };
        let registry = self.counter().registry();
        let taken = self.workspace();
        let taken = &taken.origins;
        let mut files = Vec::new();
        for tool in registry.visible(principal) {
            let (state, usual) = (ToolState::of(&tool.row), registry.usual(&tool));
            if tool.file.is_none() && state != usual {
                let name = &tool.row.name;
                let (mut path, text) = ToolFile::written(name, &state, &usual, email);
                if taken.contains_key(&path) {
                    // The file says another tool, or a data model.
                    path = path.replace(".yaml", "-row.yaml");
                }
                files.push(RowFile { path, text });
            }
        }
        Ok(files)
    }

    /// Saves a document, or takes it away, or says what that would do.
    ///
    /// # Errors
    /// When the user may not, somebody else saved in between, the workspace would not be sound, or
    /// stored records stand against it; nothing is changed then.
    pub async fn change_document(
        &self,
        principal: &Principal,
        change: DocumentChange,
    ) -> Result<SavedDocument, DocumentError> {
        let path = DocumentPath::parse(&change.path)?;
        path.check_may_edit(principal)?;
        let text = text_of(&path, change.content)?;
        // One change after the other: each is checked against what the one before made.
        let _turn = self.editing().lock().await;
        if self.workspace().origins.get(path.as_str()) == Some(&FileOrigin::Folder) {
            return Err(DocumentError::OwnedByFile(change.path));
        }
        let (before, mut rows) = self.stored(principal.org, &path).await?;
        check_version(before.as_ref(), change.version)?;
        let row = DocumentRow {
            path: change.path,
            version: before.as_ref().map_or(0, |row| row.version) + 1,
            text,
            saved_by: principal.user,
            saved_at: self.store().clock().micros(),
        };
        rows.retain(|other| other.path != row.path);
        rows.extend(row.text.is_some().then(|| row.clone()));
        let workspace = Workspace::load_with(self.dir(), &rows, self.databases())
            .map_err(|error| DocumentError::Problems(error.problems))?;
        check_rows(self.counter().registry(), &workspace)
            .map_err(|error| DocumentError::Problems(error.problems))?;
        if !principal.has_role("admin") {
            self.check_builder(&workspace)?;
        }
        let plan = self.plan(&workspace).await?;
        let of_this = workspace.warnings.iter().filter(|it| it.path == row.path);
        let warnings = of_this.map(ToString::to_string);
        let warnings = warnings.collect();
        let is_saved = change.mode != ChangeMode::DryRun;
        if is_saved {
            let allow = change.mode == ChangeMode::AllowDataLoss;
            self.save(principal.org, &row, &workspace, allow).await?;
            self.take(workspace).await?;
        }
        Ok(SavedDocument {
            definition: row.text.as_deref().and_then(|text| path.definition(text)),
            version: match is_saved {
                true => Some(row.version),
                false => before.map(|row| row.version),
            },
            path: row.path,
            text: row.text,
            steps: plan.steps.iter().map(ToString::to_string).collect(),
            losses: plan.losses,
            warnings,
            saved: is_saved,
        })
    }

    /// The document as it is, with its number of saves, and all others.
    async fn stored(
        &self,
        org: OrgId,
        path: &DocumentPath,
    ) -> Result<(Option<DocumentRow>, Vec<DocumentRow>), StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let newest = documents::newest(&mut snapshot, org, path.as_str()).await?;
        let rows = documents::current(&mut snapshot, org).await?;
        Ok((newest, rows))
    }

    /// What is sensitive, and which tables there are data models of, says who may do what: that is for
    /// administrators.
    fn check_builder(&self, next: &Workspace) -> Result<(), DocumentError> {
        let now = self.workspace();
        for model in next.catalog.models() {
            let before = now.catalog.model(&model.name);
            let lifted = before.is_some_and(|before| {
                let mut fields = before.fields.iter().filter(|field| field.rules.sensitive);
                fields.any(|field| {
                    let field = model.field(&field.name);
                    field.is_some_and(|field| !field.rules.sensitive)
                })
            });
            let moved = model.mapping.is_some() && before.is_none_or(|before| before != model);
            if lifted || moved {
                return Err(DocumentError::AdminsOnly);
            }
        }
        Ok(())
    }

    async fn plan(&self, workspace: &Workspace) -> Result<MigrationPlan, DocumentError> {
        let mut snapshot = self.store().snapshot().await?;
        let slug = &self.org_row().slug;
        let plan = records::plan_migration(&mut snapshot, slug, &workspace.catalog).await?;
        if plan.reasons.is_empty() {
            return Ok(plan);
        }
        Err(DocumentError::Blocked(plan.reasons))
    }

    async fn save(
        &self,
        org: OrgId,
        row: &DocumentRow,
        workspace: &Workspace,
        allow_data_loss: bool,
    ) -> Result<(), DocumentError> {
        let mut unit = self.store().unit_alone().await?;
        // A unit that is let go of is undone.
        self.write(&mut unit, org, row, workspace, allow_data_loss)
            .await?;
        Ok(unit.commit().await?)
    }

    async fn write(
        &self,
        unit: &mut Unit,
        org: OrgId,
        row: &DocumentRow,
        workspace: &Workspace,
        allow_data_loss: bool,
    ) -> Result<(), DocumentError> {
        if documents::save(unit, org, row).await?.is_none() {
            return Err(DocumentError::Changed {
                version: row.version,
            });
        }
        let brought = bring_tables(unit, self.org_row(), workspace, allow_data_loss).await;
        brought.map_err(|error| match error {
            MigrateError::DataLoss { losses } => DocumentError::DataLoss(losses),
            MigrateError::Blocked { reasons } => DocumentError::Blocked(reasons),
            MigrateError::Store(error) => error.into(),
        })?;
        Ok(Notice::Changed.give(unit).await?)
    }
}

/// The text to store; none for a document that goes.
fn text_of(path: &DocumentPath, content: DocumentContent) -> Result<Option<String>, DocumentError> {
    let text = match content {
        DocumentContent::Text(text) => text,
        DocumentContent::Definition(definition) => path.written(&definition)?,
        DocumentContent::Nothing => return Ok(None),
    };
    if text.len() > LARGEST {
        return Err(DocumentError::TooLarge { most: LARGEST });
    }
    Ok(Some(text))
}

/// A change names the version that it changes, so that nobody overwrites what they have not seen.
fn check_version(before: Option<&DocumentRow>, version: Option<i64>) -> Result<(), DocumentError> {
    let there = before.filter(|row| row.text.is_some());
    match (there, version) {
        (None, None) => Ok(()),
        (Some(row), Some(version)) if row.version == version => Ok(()),
        (Some(row), Some(_)) => Err(DocumentError::Changed {
            version: row.version,
        }),
        (Some(_), None) => Err(DocumentError::Exists),
        (None, Some(_)) => Err(DocumentError::NotFound),
    }
}
