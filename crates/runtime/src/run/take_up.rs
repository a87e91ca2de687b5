//! Takes runs up: one server at a time works on a run, under a lease.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use toolcrib::id::{OrgId, RunId};
use toolcrib::state::CallState;
use toolcrib_counter::{CounterError, Principal};
use toolcrib_data::platform::people;
use toolcrib_data::platform::runs::{self, Lease, RunRow, RunState};

use super::driver::Drive;
use super::state::LoadedRun;
use crate::stream::Chunk;
use crate::{Runtime, RuntimeError};

/// How long a lease holds without being renewed.
const LEASE: Duration = Duration::from_secs(15);
/// How far a run comes in takings without a step before it is given up; to give it back counts as well.
const MOST_EPOCHS: i64 = 20;
/// How often a run is taken up again at once, after others got in its way.
const TRIES: usize = 5;

impl Runtime {
    /// Takes the run up in a task of its own, if nobody works on it.
    pub(crate) fn drive(&self, org: OrgId, run: RunId) {
        let runtime = self.clone();
        self.tasks().spawn(async move {
            for _ in 0..TRIES {
                let driven = Box::pin(runtime.drive_now(org, run));
                let driven = AssertUnwindSafe(driven).catch_unwind();
                match driven.await {
                    Ok(Ok(())) => return,
                    Ok(Err(RuntimeError::Counter(CounterError::LeaseLost))) => {
                        tracing::warn!(%run, "the run was taken over or ended from outside");
                        return;
                    }
                    Ok(Err(error)) if is_passing(&error) => {
                        tracing::warn!(%run, %error, "something else was in the way of the run; it is taken up again");
                    }
                    Ok(Err(error)) => {
                        tracing::error!(%run, %error, "the run was left where it stood");
                        return;
                    }
                    // Taken up again it would most likely break down again.
                    Err(_) => {
                        tracing::error!(%run, "the run broke down");
                        if let Err(error) = runtime
                            .give_up(org, run, "The server broke down over this.")
                            .await
                        {
                            tracing::error!(%run, %error, "the run could not be given up");
                        }
                        return;
                    }
                }
            }
        });
    }

    async fn drive_now(&self, org: OrgId, run: RunId) -> Result<(), RuntimeError> {
        let store = self.store();
        let now = store.clock().micros();
        let mut unit = store.unit().await?;
        let Some(row) = runs::claim(&mut unit, org, run, self.name(), until(now), now).await?
        else {
            // Readers here hear from whoever works on it.
            self.follow(org, run);
            return Ok(());
        };
        unit.commit().await?;
        let lease = Lease {
            org,
            run,
            epoch: row.epoch,
            owner: self.name().to_owned(),
        };
        let outcome = Box::pin(self.drive_under(&lease, row)).await;
        match &outcome {
            Ok(()) | Err(RuntimeError::Counter(CounterError::LeaseLost)) => {}
            Err(error) if !is_unavailable(error) && self.comes_no_further(&lease).await => {
                let error = "The server could not go on with this. The administrator finds the cause in the log.";
                self.give_up(org, run, error).await?;
            }
            Err(_) => self.give_back(&lease).await,
        }
        outcome
    }

    /// Whether a run was taken up again and again without a step of it: each try asks the language model anew.
    async fn comes_no_further(&self, lease: &Lease) -> bool {
        let newest = async {
            let mut snapshot = self.store().snapshot().await?;
            runs::steps(&mut snapshot, lease.org, lease.run).await
        };
        // Where that can't be told, it is tried again.
        newest.await.is_ok_and(|steps| {
            let newest = steps.last().map_or(0, |step| step.epoch);
            lease.epoch - newest > MOST_EPOCHS
        })
    }

    async fn drive_under(&self, lease: &Lease, row: RunRow) -> Result<(), RuntimeError> {
        let (store, org, run) = (self.store(), lease.org, lease.run);
        // From here on somebody tells the run, to readers who came first as well.
        let writer = self.hub().tell(run);
        self.keep_stream(lease, &writer);
        let mut snapshot = store.snapshot().await?;
        let user = people::user(&mut snapshot, org, row.asker).await?;
        let credential = match row.credential {
            Some(id) => people::credential(&mut snapshot, org, id).await?,
            None => None,
        };
        let loaded = LoadedRun::load(&mut snapshot, row).await?;
        drop(snapshot);
        // What was handed to something outside when a server died is in doubt.
        for call in loaded
            .calls()
            .filter(|call| call.row.state == CallState::Running)
        {
            self.counter().settle(org, call.row.id).await?;
        }
        let agent = self.agent(&loaded.row.agent);
        let (Some(user), Some(agent)) = (user.filter(|user| !user.disabled), agent) else {
            let error = "The agent or its user is not there any more.";
            self.give_up(org, run, error).await?;
            writer.send(&Chunk::Error {
                error_text: error.to_owned(),
            });
            return Ok(());
        };
        let drive = Drive {
            runtime: self,
            lease: lease.clone(),
            principal: Principal::new(user, credential),
            scope: agent.scope(),
            agent,
            writer,
            cancel: self.stops().begin(run),
            begun_at: loaded.steps.len(),
        };
        let outcome = tokio::select! {
            outcome = drive.work(&loaded) => outcome,
            lost = drive.keep_lease() => Err(lost),
        };
        self.stops().end(run);
        outcome
    }

    /// Leaves a run to whoever takes it up next, without waiting for the lease to lapse.
    async fn give_back(&self, lease: &Lease) {
        let given = async {
            let now = self.store().clock().micros();
            let mut unit = self.store().unit().await?;
            runs::release(&mut unit, lease, RunState::Active, None, now).await?;
            unit.commit().await
        };
        if let Err(error) = given.await {
            tracing::warn!(%error, run = %lease.run, "the run was not given back; its lease lapses");
        }
    }
}

pub(super) fn until(now: i64) -> i64 {
    now.saturating_add(i64::try_from(LEASE.as_micros()).unwrap_or(i64::MAX))
}

/// Whether the database can't be used just now: that ends by itself.
fn is_unavailable(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::Store(error) | RuntimeError::Counter(CounterError::Store(error)) => {
            error.is_unavailable()
        }
        _ => false,
    }
}

/// Whether the same may succeed when it is done again.
fn is_passing(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::Store(error) | RuntimeError::Counter(CounterError::Store(error)) => {
            error.is_passing()
        }
        _ => false,
    }
}
