//! Other servers on the same database: what they tell, stop and change is heard here.

use std::time::Duration;

use toolcrib_data::{Notice, Notices, StoreError};

use crate::{Runtime, RuntimeError, Workspace};

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
        self.take_changes().await;
        self.hear(&mut notices).await
    }

    async fn hear(&self, notices: &mut Notices) -> Result<(), StoreError> {
        loop {
            match notices.next().await? {
                Notice::Told { run, .. } => self.hub().notice(run),
                Notice::Stop { run } => self.stops().stop(run),
                Notice::Changed => self.take_changes().await,
            }
        }
    }

    /// Takes the workspace and the rows of tools as they are stored now.
    async fn take_changes(&self) {
        if let Err(error) = self.take_stored().await {
            tracing::error!(%error, "what was changed at another server is not in force at this one");
        }
    }

    async fn take_stored(&self) -> Result<(), RuntimeError> {
        let _turn = self.editing().lock().await;
        let rows = self.stored_documents().await?;
        // Whoever changed it brought the tables along.
        let workspace = Workspace::load_with(self.dir(), &rows, self.databases())?;
        Ok(self.take(workspace).await?)
    }
}
