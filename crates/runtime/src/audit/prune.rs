use std::sync::atomic::Ordering;

use toolcrib_data::platform::audit::{self, Checkpoint, Segment};

use super::key::AuditKey;
use crate::{Runtime, RuntimeError};

/// How long it is between two prunings, at least, in microseconds.
const PAUSE: i64 = 3600 * 1_000_000;

impl Runtime {
    /// Drops the part of the audit that is older than it is to be kept, in whole segments. The
    /// newest segment always stays.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn prune_audit(&self) -> Result<(), RuntimeError> {
        let Some(kept) = self.audit_kept() else {
            return Ok(());
        };
        let now = self.store().clock().micros();
        let kept = i64::try_from(kept.as_micros()).unwrap_or(i64::MAX);
        if now < self.prune_from().load(Ordering::Relaxed) {
            return Ok(());
        }
        let before = now.saturating_sub(kept);
        let org = self.org();
        let mut snapshot = self.store().snapshot().await?;
        let newest = audit::newest_segment_before(&mut snapshot, org, before).await?;
        drop(snapshot);
        let Some(segment) = newest else {
            return Ok(());
        };
        // The whole chain is looked at: not each time that another segment has become old enough.
        self.prune_from().store(now + PAUSE, Ordering::Relaxed);
        // A checkpoint says that all before it held: it is made of nothing else.
        let found = self.prove_audit(org, None).await?;
        if !found.ok {
            tracing::error!(problems = ?found.problems, "the audit is not pruned: its chain is broken");
            return Ok(());
        }
        let checkpoint = checkpoint(self.audit_key(), &segment, now);
        let mut unit = self.store().unit().await?;
        audit::drop_before(&mut unit, org, &checkpoint).await?;
        unit.commit().await?;
        tracing::info!(last_entry = checkpoint.last_seq, "the audit is pruned");
        Ok(())
    }
}

fn checkpoint(key: &AuditKey, segment: &Segment, now: i64) -> Checkpoint {
    let mut checkpoint = Checkpoint {
        segment: segment.number,
        last_seq: segment.last_seq,
        mark: segment.mark,
        mac: segment.mac.clone(),
        key_id: key.id(),
        signature: String::new(),
        pruned_at: now,
    };
    checkpoint.signature = signature(key, &checkpoint);
    checkpoint
}

/// What proves that the chain was whole up to a checkpoint.
pub(super) fn signature(key: &AuditKey, at: &Checkpoint) -> String {
    key.prove(&[
        b"checkpoint",
        &at.segment.to_be_bytes(),
        &at.last_seq.to_be_bytes(),
        &at.mark.unit.to_be_bytes(),
        &at.mark.row.to_be_bytes(),
        at.mac.as_bytes(),
        &at.pruned_at.to_be_bytes(),
    ])
}
