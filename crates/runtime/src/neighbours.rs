//! Other servers on the same database: what they tell, stop and change is heard here.

use std::sync::atomic::Ordering;
use std::time::Duration;

use toolcrib::id::RunId;
use toolcrib_data::platform::{documents, runs};
use toolcrib_data::{Notice, Notices, StoreError};

use crate::workspace::apply::check_rows;
use crate::{Runtime, RuntimeError};

/// How long this server waits before it listens again.
const AGAIN: Duration = Duration::from_secs(1);

impl Runtime {
    /// Hears what other servers give notice of, until shutdown.
    pub(crate) fn listen(&self) {
        if !self.store().is_shared() {
            return;
        }
        let runtime = self.clone();
        self.tasks().spawn(async move {
            loop {
                tokio::select! {
                    () = runtime.shutdown().cancelled() => return,
                    heard = runtime.hear_all() => if let Err(error) = heard {
                        tracing::warn!(%error, "other servers can't be heard just now; it is tried again");
                    },
                }
                tokio::select! {
                    () = runtime.shutdown().cancelled() => return,
                    () = tokio::time::sleep(AGAIN) => {}
                }
            }
        });
    }

    async fn hear_all(&self) -> Result<(), StoreError> {
        let Some(mut notices) = self.store().notices().await? else {
            return Ok(());
        };
        // What was changed while nobody listened.
        self.look_for_changes().await;
        self.hear(&mut notices).await
    }

    async fn hear(&self, notices: &mut Notices) -> Result<(), StoreError> {
        while let Some(notice) = notices.next().await? {
            match notice {
                Notice::Told { run, .. } => self.hub().notice(run),
                Notice::Stop { run } => self.stop_if_asked(run).await?,
                Notice::Changed => self.look_for_changes().await,
            }
        }
        tracing::warn!("the connection on which other servers are heard was lost; it is made anew");
        Ok(())
    }

    /// Stops a run that is at work here. A notice alone proves nothing: anybody with the database in their
    /// hands may give one.
    async fn stop_if_asked(&self, run: RunId) -> Result<(), StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let row = runs::get(&mut snapshot, self.org(), run).await?;
        if row.is_some_and(|row| row.stop_requested) {
            self.stops().stop(run);
        }
        Ok(())
    }

    /// Takes the workspace and the rows of tools as they are stored now, if they were saved since they were
    /// taken. What fails is tried again with the next look.
    pub(crate) async fn look_for_changes(&self) {
        if let Err(error) = self.take_stored().await {
            tracing::error!(%error, "what was changed at another server is not in force at this one; it is tried again");
        }
    }

    async fn take_stored(&self) -> Result<(), RuntimeError> {
        if !self.store().is_shared() {
            return Ok(());
        }
        let _turn = self.editing().lock().await;
        let saves = documents::saves(&mut self.store().snapshot().await?, self.org()).await?;
        if self.saves_taken().load(Ordering::Relaxed) == saves {
            return Ok(());
        }
        let rows = self.stored_documents().await?;
        // Whoever changed it brought the tables along.
        let workspace = self.workspace().with_documents(&rows, self.databases())?;
        check_rows(self.counter().registry(), &workspace)?;
        self.take(workspace).await?;
        self.saves_taken().store(saves, Ordering::Relaxed);
        Ok(())
    }
}
