//! What was stored for subscribers is sent until it arrives, or was tried often enough. Each subscriber
//! is served by one server at a time, apart from all others: one that hangs holds up nobody else.

use std::sync::PoisonError;
use std::time::Duration;

use futures_util::future::join_all;
use toolcrib_data::StoreError;
use toolcrib_data::platform::calls::{self, CallRow};
use toolcrib_data::platform::deliveries::{self, DeliveryRow, DeliveryStatus};
use toolcrib_data::platform::leases;

use super::payload::{Says, ToolEvent};
use crate::{Runtime, RuntimeError};

/// How long to wait after each attempt, in seconds; after the last of them an event is dead.
const WAITS: [i64; 9] = [5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
/// How many events of a subscriber are under way at once.
const AT_ONCE: usize = 16;
/// How many are looked up, and written down afterwards, in one go.
const BATCH: u32 = 32;
/// So long an event is looked for that somebody else stored.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a server keeps a subscriber, and how long a batch takes at most, in microseconds.
const LEASE_TIME: i64 = 150 * 1_000_000;
const LONGEST_BATCH: i64 = 75 * 1_000_000;
/// How long what arrived is kept to be looked at, in microseconds.
const KEPT: i64 = 7 * 24 * 3600 * 1_000_000;
/// The longest error that is kept, in characters.
const LONGEST_ERROR: usize = 300;

impl Runtime {
    /// Sends what is stored for subscribers until shutdown.
    pub(crate) fn keep_delivering(&self) {
        let runtime = self.clone();
        self.tasks().spawn(async move {
            loop {
                if let Err(error) = runtime.deliver_due().await {
                    tracing::error!(%error, "sending events failed; it is tried again");
                }
                tokio::select! {
                    () = runtime.shutdown().cancelled() => return,
                    () = runtime.book().wake.notified() => {}
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        });
    }

    /// Starts to send to each subscriber that something is due for.
    async fn deliver_due(&self) -> Result<(), RuntimeError> {
        for key in self.due_subscribers().await? {
            let runtime = self.clone();
            self.tasks().spawn(async move {
                if let Err(error) = runtime.deliver_to(&key).await {
                    tracing::error!(%error, subscriber = key, "sending events failed; it is tried again");
                }
            });
        }
        Ok(())
    }

    async fn due_subscribers(&self) -> Result<Vec<String>, RuntimeError> {
        if self.has_neighbours() {
            // Another server may have changed them.
            self.book().load(self.store(), self.org()).await?;
        }
        let now = self.store().clock().micros();
        let mut snapshot = self.store().snapshot().await?;
        Ok(deliveries::due_subscribers(&mut snapshot, self.org(), now).await?)
    }

    /// Sends all that is due now, and waits for what comes of it; answers with how many attempts that
    /// were.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn deliver_all(&self) -> Result<usize, RuntimeError> {
        let keys = self.due_subscribers().await?;
        let sent = join_all(keys.iter().map(|key| self.deliver_to(key))).await;
        let sent: Result<Vec<usize>, RuntimeError> = sent.into_iter().collect();
        Ok(sent?.into_iter().sum())
    }

    /// Sends all that is due for one subscriber, if nobody else does already.
    async fn deliver_to(&self, key: &str) -> Result<usize, RuntimeError> {
        let Some(_busy) = Busy::take(self, key) else {
            return Ok(0);
        };
        let (mut sent, mut leased) = (0, i64::MIN);
        loop {
            if self.book().find(key).is_some_and(|one| !one.is_enabled()) {
                self.end_lease(key).await?;
                return Ok(sent);
            }
            let now = self.store().clock().micros();
            if leased < now.saturating_add(LONGEST_BATCH) {
                leased = now.saturating_add(LEASE_TIME);
                if !self.lease(key, (now, leased)).await? {
                    return Ok(sent);
                }
            }
            let mut snapshot = self.store().snapshot().await?;
            let rows = deliveries::due(&mut snapshot, self.org(), key, (now, BATCH)).await?;
            let mut due = Vec::with_capacity(rows.len());
            for row in rows {
                let call = calls::get(&mut snapshot, self.org(), row.call).await?;
                due.push(Due { row, call });
            }
            drop(snapshot);
            if due.is_empty() {
                self.end_lease(key).await?;
                return Ok(sent);
            }
            let ended = tokio::select! {
                // What is cut off here is sent again: at least once.
                () = self.shutdown().cancelled() => {
                    self.end_lease(key).await?;
                    return Ok(sent);
                }
                ended = self.attempt_all(&due) => ended,
            };
            sent += due.len();
            self.settle(&due, &ended).await?;
        }
    }

    /// Writes down what became of a batch.
    async fn settle(&self, due: &[Due], ended: &[DeliveryRow]) -> Result<(), StoreError> {
        let org = self.org();
        let mut unit = self.store().unit().await?;
        let is_delivered = |row: &&DeliveryRow| row.status == DeliveryStatus::Delivered;
        let delivered: Vec<&DeliveryRow> = ended.iter().filter(is_delivered).collect();
        deliveries::settle_delivered(&mut unit, org, &delivered).await?;
        for (due, after) in due.iter().zip(ended) {
            if !is_delivered(&after) {
                deliveries::settle(&mut unit, org, &due.row, after).await?;
            }
        }
        unit.commit().await
    }

    async fn attempt_all(&self, due: &[Due]) -> Vec<DeliveryRow> {
        let mut ended = Vec::with_capacity(due.len());
        for some in due.chunks(AT_ONCE) {
            let attempts = some.iter().map(|due| self.attempt(due));
            ended.extend(join_all(attempts).await);
        }
        ended
    }

    /// Tries once to send an event; answers with what becomes of it.
    async fn attempt(&self, due: &Due) -> DeliveryRow {
        let row = &due.row;
        // As it is now: it may have been changed since the batch began.
        let subscriber = self.book().find(&row.subscriber);
        let told = match (&subscriber, &due.call) {
            (None, _) => Err("there is no such subscriber here".to_owned()),
            (Some(subscriber), _) if !subscriber.is_enabled() => return row.clone(),
            (_, None) => Err("the call is kept no more".to_owned()),
            (Some(subscriber), Some(call)) => {
                let says = match row.with_data {
                    true => Says::Data,
                    false => Says::Name,
                };
                let (workspace, now) = (self.workspace(), self.store().clock().micros());
                let event = ToolEvent::of(call, row.moment, says, (&workspace, now));
                let id = row.id.to_string();
                self.book().tell(subscriber, &id, &event).await
            }
        };
        after(row, told, self.store().clock().micros())
    }

    async fn lease(&self, key: &str, (now, until): (i64, i64)) -> Result<bool, StoreError> {
        let (org, name) = (self.org(), lease_name(key));
        let mut unit = self.store().unit().await?;
        let epoch = leases::claim(&mut unit, org, &name, self.name(), (now, until)).await?;
        unit.commit().await?;
        Ok(epoch.is_some())
    }

    async fn end_lease(&self, key: &str) -> Result<(), StoreError> {
        let mut unit = self.store().unit().await?;
        leases::release(&mut unit, self.org(), &lease_name(key), self.name()).await?;
        unit.commit().await
    }

    /// Drops what arrived long ago.
    pub(crate) async fn drop_delivered(&self) -> Result<(), StoreError> {
        let before = self.store().clock().micros().saturating_sub(KEPT);
        let mut unit = self.store().unit().await?;
        deliveries::drop_delivered(&mut unit, self.org(), before).await?;
        unit.commit().await
    }
}

/// An event that is due, and what it tells of; none if that is kept no more.
struct Due {
    row: DeliveryRow,
    call: Option<CallRow>,
}

/// What becomes of an event after an attempt.
fn after(row: &DeliveryRow, told: Result<(), String>, now: i64) -> DeliveryRow {
    let mut after = DeliveryRow {
        attempts: row.attempts + 1,
        ..row.clone()
    };
    let Err(error) = told else {
        after.status = DeliveryStatus::Delivered;
        after.delivered_at = Some(now);
        after.error = None;
        return after;
    };
    let wait = usize::try_from(row.attempts).ok();
    match wait.and_then(|attempts| WAITS.get(attempts)) {
        Some(seconds) => after.next_at = now.saturating_add(seconds * 1_000_000),
        None => after.status = DeliveryStatus::Dead,
    }
    let (id, subscriber) = (row.id, &row.subscriber);
    tracing::warn!(delivery = %id, subscriber, attempts = after.attempts, error, "an event did not arrive");
    after.error = Some(error.chars().take(LONGEST_ERROR).collect());
    after
}

fn lease_name(key: &str) -> String {
    format!("events to {key}")
}

/// That this server sends to a subscriber, until it is dropped.
struct Busy<'a> {
    runtime: &'a Runtime,
    key: String,
}

impl<'a> Busy<'a> {
    fn take(runtime: &'a Runtime, key: &str) -> Option<Self> {
        let mut busy = runtime
            .book()
            .busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        busy.insert(key.to_owned()).then(|| Self {
            runtime,
            key: key.to_owned(),
        })
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let book = self.runtime.book();
        let mut busy = book.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.remove(&self.key);
    }
}
