//! Streams across servers: whoever tells a run keeps what it tells, and others follow it for their readers.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolcrib::id::{OrgId, RunId};
use toolcrib_data::StoreError;
use toolcrib_data::platform::runs::{self, Lease, RunState};
use toolcrib_data::platform::streams;

use super::hub::{StreamReader, StreamWriter};
use crate::{Runtime, RuntimeError};

/// How long what is told is gathered before it is kept.
const GATHERED: Duration = Duration::from_millis(50);
/// How often a batch is tried that could not be kept.
const TRIES: usize = 5;
/// How often a run is looked at of which nobody gives notice: notices may be lost.
const LOOK: Duration = Duration::from_millis(500);
/// How often it is looked for the end of a telling after the run was given back.
const LAST_LOOKS: u32 = 4;
/// How long what was told is kept, in microseconds.
pub(crate) const KEPT: i64 = 600 * 1_000_000;

/// What is kept at once.
#[derive(Debug, Serialize, Deserialize)]
struct Batch {
    /// Frames of server-sent events, one after the other.
    frames: String,
    end: Option<End>,
}

/// How a telling ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
    /// At an end of the protocol.
    Whole,
    /// Whoever told it had to leave it.
    Left,
}

impl Runtime {
    /// Keeps what is told for readers at other servers, if there may be any.
    pub(crate) fn keep_stream(&self, lease: &Lease, writer: &StreamWriter) {
        if !self.store().is_shared() {
            return;
        }
        let (runtime, lease, reader) = (self.clone(), lease.clone(), writer.reader());
        self.tasks().spawn(async move {
            if let Err(error) = runtime.keep_all(&lease, reader).await {
                tracing::warn!(%error, run = %lease.run, "readers at other servers hear no more of the run until it is told anew");
            }
        });
    }

    async fn keep_all(&self, lease: &Lease, mut reader: StreamReader) -> Result<(), StoreError> {
        for seq in 1.. {
            let frames = reader.next().await;
            let end = match (&frames, reader.is_whole()) {
                (Some(_), _) => None,
                (None, true) => Some(End::Whole),
                (None, false) => Some(End::Left),
            };
            let batch = Batch {
                frames: frames.unwrap_or_default().concat(),
                end,
            };
            let chunks = serde_json::to_string(&batch).unwrap_or_default();
            let mut is_ours = self.keep(lease, (seq, &chunks)).await;
            for _ in 1..TRIES {
                if is_ours.is_ok() {
                    break;
                }
                tokio::time::sleep(GATHERED * 10).await;
                is_ours = self.keep(lease, (seq, &chunks)).await;
            }
            let is_ours = is_ours?;
            if end.is_some() || !is_ours {
                break;
            }
            tokio::time::sleep(GATHERED).await;
        }
        Ok(())
    }

    async fn keep(&self, lease: &Lease, batch: (i64, &str)) -> Result<bool, StoreError> {
        let now = self.store().clock().micros();
        let mut unit = self.store().unit().await?;
        let is_ours = streams::append(&mut unit, lease, batch, now).await?;
        unit.commit().await?;
        Ok(is_ours)
    }

    /// Tells readers who wait here what another server tells of the run.
    pub(crate) fn follow(&self, org: OrgId, run: RunId) {
        if !self.store().is_shared() {
            return;
        }
        let Some(writer) = self.hub().tell_waiting(run) else {
            return;
        };
        let runtime = self.clone();
        self.tasks().spawn(async move {
            if let Err(error) = runtime.follow_now((org, run), &writer).await {
                tracing::warn!(%error, %run, "a run of another server could not be followed");
            }
        });
    }

    async fn follow_now(
        &self,
        (org, run): (OrgId, RunId),
        writer: &StreamWriter,
    ) -> Result<(), RuntimeError> {
        let mut notices = self.hub().notices();
        // Which telling this is, and how far it was followed.
        let mut place: Option<(i64, i64)> = None;
        let mut looks_left = LAST_LOOKS;
        loop {
            let mut snapshot = self.store().snapshot().await?;
            let Some(standing) = runs::standing(&mut snapshot, org, run).await? else {
                return Ok(());
            };
            let telling = standing.telling();
            let is_held = standing.owner.is_some();
            match place {
                Some((epoch, _)) if epoch != telling => return Ok(()),
                Some(_) => {}
                // What was told before it was woken is not what comes now.
                None if !is_held && standing.state == RunState::Active => {}
                None => place = Some((telling, 0)),
            }
            if let Some((epoch, seq)) = &mut place {
                for (number, chunks) in
                    streams::after(&mut snapshot, (org, run), *epoch, *seq).await?
                {
                    let Ok(batch) = serde_json::from_str::<Batch>(&chunks) else {
                        return Ok(());
                    };
                    *seq = number;
                    writer.forward(&batch.frames, batch.end);
                    if batch.end.is_some() {
                        return Ok(());
                    }
                }
                if !is_held {
                    looks_left -= 1;
                }
            }
            drop(snapshot);
            if looks_left == 0 {
                return Ok(());
            }
            let noticed = async { while !matches!(notices.recv().await, Ok(of) if of == run) {} };
            tokio::select! {
                () = noticed => {}
                () = tokio::time::sleep(LOOK) => {}
                () = self.shutdown().cancelled() => return Ok(()),
            }
        }
    }
}
