//! The workspace folder, taken anew when its files have changed: whole, or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use toolcrib_data::StoreError;
use toolcrib_data::platform::documents::{self, DocumentRow};
use toolcrib_data::records::MigrationStep;

use crate::setup::bring_tables;
use crate::workspace::apply::check_rows;
use crate::workspace::{FOLDERS, RESTRICTIONS};
use crate::{Runtime, RuntimeError, Workspace};

/// How often the files are looked at.
const PAUSE: Duration = Duration::from_secs(1);

/// What the files of a workspace were like at a moment: their sizes, and when they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FilesSeen(BTreeMap<PathBuf, (u64, Option<SystemTime>)>);

impl FilesSeen {
    /// Looks at the files of the folder that a workspace is loaded from.
    fn now(dir: &Path) -> Self {
        let mut seen = BTreeMap::new();
        for folder in FOLDERS {
            look(&dir.join(folder), &mut seen);
        }
        note(&dir.join(RESTRICTIONS), &mut seen);
        Self(seen)
    }
}

fn look(folder: &Path, seen: &mut BTreeMap<PathBuf, (u64, Option<SystemTime>)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => look(&path, seen),
            false => note(&path, seen),
        }
    }
}

fn note(path: &Path, seen: &mut BTreeMap<PathBuf, (u64, Option<SystemTime>)>) {
    if let Ok(about) = std::fs::metadata(path) {
        seen.insert(path.to_owned(), (about.len(), about.modified().ok()));
    }
}

impl Runtime {
    /// Takes the workspace as its folder has it now, and brings the tables of data models along.
    ///
    /// # Errors
    /// When the workspace is not sound, stored records stand against it, or records would be lost by
    /// it; all stays as it was then.
    pub async fn reload(&self) -> Result<Vec<MigrationStep>, RuntimeError> {
        let _turn = self.editing().lock().await;
        let rows = self.stored_documents().await?;
        let workspace = Workspace::load_with(self.dir(), &rows, self.databases())?;
        check_rows(self.counter().registry(), &workspace)?;
        workspace.warn();
        let mut unit = self.store().unit_alone().await?;
        // What loses data is for a start to allow, or for somebody who was asked.
        let brought = bring_tables(&mut unit, self.org_row(), &workspace, false).await;
        let steps = brought.map_err(|error| RuntimeError::Models(error.to_string()))?;
        unit.commit().await?;
        self.take(workspace).await?;
        Ok(steps)
    }

    /// What was made in the web app.
    pub(crate) async fn stored_documents(&self) -> Result<Vec<DocumentRow>, StoreError> {
        documents::current(&mut self.store().snapshot().await?, self.org()).await
    }

    /// Takes the workspace anew whenever its files have changed, until shutdown.
    pub(crate) fn watch(&self) {
        let runtime = self.clone();
        let mut taken = FilesSeen::now(self.dir());
        self.tasks().spawn(async move {
            loop {
                tokio::select! {
                    () = runtime.shutdown().cancelled() => return,
                    () = tokio::time::sleep(PAUSE) => {}
                }
                let seen = FilesSeen::now(runtime.dir());
                // Who writes several files is not done with the first one: it is waited until
                // nothing moves any more.
                if seen == taken || !runtime.is_still(&seen).await {
                    continue;
                }
                match runtime.reload().await {
                    Ok(steps) => {
                        tracing::info!(migrations = steps.len(), "the workspace is taken anew");
                    }
                    Err(error) => {
                        tracing::error!(%error, "the workspace stays as it was");
                        // What is in the files is tried once; trouble of the database, until it is over.
                        if !matches!(error, RuntimeError::Workspace(_) | RuntimeError::Models(_)) {
                            continue;
                        }
                    }
                }
                taken = seen;
            }
        });
    }

    async fn is_still(&self, seen: &FilesSeen) -> bool {
        tokio::select! {
            () = self.shutdown().cancelled() => false,
            () = tokio::time::sleep(PAUSE / 4) => FilesSeen::now(self.dir()) == *seen,
        }
    }
}
