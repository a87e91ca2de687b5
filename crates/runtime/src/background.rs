//! Work that nobody asked for: approvals that lapse, runs that were left behind, the audit chain.

use std::time::Duration;

use toolcrib_data::platform::{handles, people, runs, streams};

use crate::stream::KEPT;
use crate::{Runtime, RuntimeError};

const PAUSE: Duration = Duration::from_secs(15);
/// So long a transition stands unsealed, at most.
const SEAL_PAUSE: Duration = Duration::from_secs(1);

/// An approved call that has not run after this long, in microseconds, was left behind.
pub(crate) const LEFT_AFTER: i64 = 60 * 1_000_000;

/// A call that is under way after this long, in microseconds, has no server any more: a tool takes ten minutes
/// at most, and is tried four times.
const DEAD_AFTER: i64 = 60 * 60 * 1_000_000;

impl Runtime {
    /// Takes up every run that was left behind, and goes on doing so until shutdown.
    pub(crate) fn look_after(&self) {
        let runtime = self.clone();
        self.tasks().spawn(async move {
            loop {
                if let Err(error) = runtime.look_once().await {
                    tracing::error!(%error, "looking after runs and approvals failed; it is tried again");
                }
                tokio::select! {
                    () = runtime.shutdown().cancelled() => return,
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        });
    }

    /// Seals what calls do, a moment later, until shutdown and once more then.
    pub(crate) fn keep_sealing(&self) {
        let runtime = self.clone();
        self.tasks().spawn(async move {
            loop {
                let ending = runtime.shutdown().is_cancelled();
                if let Err(error) = runtime.seal_all().await {
                    tracing::error!(%error, "sealing the audit failed; it is tried again");
                }
                if ending {
                    if let Err(error) = runtime.end_sealing().await {
                        tracing::warn!(%error, "the work of sealing was not given back; it lapses");
                    }
                    return;
                }
                tokio::select! {
                    () = runtime.shutdown().cancelled() => {}
                    () = tokio::time::sleep(SEAL_PAUSE) => {}
                }
            }
        });
    }

    /// One round: lapsed approvals end as expired, runs that nobody works on are taken up, and what
    /// has lapsed otherwise is dropped.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn look_once(&self) -> Result<(), RuntimeError> {
        self.counter().expire().await?;
        let now = self.store().clock().micros();
        let mut unit = self.store().unit().await?;
        handles::drop_lapsed(&mut unit, now).await?;
        people::drop_lapsed(&mut unit, now).await?;
        streams::drop_before(&mut unit, now - KEPT).await?;
        unit.commit().await?;
        self.look_for_changes().await;
        self.drop_delivered().await?;
        self.prune_audit().await?;
        self.settle_left_behind(now - DEAD_AFTER).await?;
        let left = now - LEFT_AFTER;
        self.run_left_behind(left, left).await?;
        let left = runs::recoverable(&mut self.store().snapshot().await?, now, 100).await?;
        for run in left {
            self.drive(run.org, run.id);
        }
        Ok(())
    }
}
