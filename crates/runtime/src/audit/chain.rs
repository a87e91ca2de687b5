use serde::Serialize;
use toolcrib_counter::Principal;
use toolcrib_data::platform::audit::{self, Checkpoint, Mark, Segment};
use utoipa::ToSchema;

use super::key::AuditKey;
use super::{AuditError, check_auditor};
use crate::Runtime;
use crate::view::time;

/// What stands before the first segment of all.
const BEGINNING: &str = "";

/// How far the chain has come.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChainView {
    /// The number of the last entry; 0 for none.
    pub sealed_to: i64,
    /// Transitions that are stored and not sealed yet.
    pub unsealed: i64,
    /// How many segments there are.
    pub segments: i64,
    /// When the last one was sealed.
    pub sealed_at: Option<String>,
    /// What proves the chain up to its last entry. Noted down elsewhere, it shows later whether
    /// anything was cut off.
    pub head: Option<String>,
    /// The last entry that is pruned.
    pub pruned_to: Option<i64>,
}

/// The end of a chain: where the next segment goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) segment: i64,
    pub(super) seq: i64,
    pub(super) mac: String,
    pub(super) mark: Mark,
}

impl End {
    /// Of a chain that has not begun, or begins after a checkpoint.
    pub(super) fn before_all(checkpoint: Option<&Checkpoint>) -> Self {
        match checkpoint {
            Some(at) => Self {
                segment: at.segment,
                seq: at.last_seq,
                mac: at.mac.clone(),
                mark: at.mark,
            },
            None => Self {
                segment: 0,
                seq: 0,
                mac: BEGINNING.to_owned(),
                mark: Mark::default(),
            },
        }
    }

    pub(super) fn of(segment: &Segment) -> Self {
        Self {
            segment: segment.number,
            seq: segment.last_seq,
            mac: segment.mac.clone(),
            mark: segment.mark,
        }
    }

    /// What an administrator notes down of it.
    pub(super) fn head(&self) -> String {
        format!("{}:{}", self.seq, self.mac)
    }

    /// What proves a segment that follows, and all before it.
    pub(super) fn prove(&self, key: &AuditKey, segment: &Segment) -> String {
        key.prove(&[
            self.mac.as_bytes(),
            &segment.number.to_be_bytes(),
            &segment.first_seq.to_be_bytes(),
            &segment.last_seq.to_be_bytes(),
            &segment.mark.unit.to_be_bytes(),
            &segment.mark.row.to_be_bytes(),
            &segment.sealed_at.to_be_bytes(),
            segment.entries.as_bytes(),
        ])
    }
}

impl Runtime {
    /// How far the audit chain has come.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn audit_chain(&self, principal: &Principal) -> Result<ChainView, AuditError> {
        check_auditor(principal)?;
        let mut snapshot = self.store().snapshot().await?;
        let last = audit::last(&mut snapshot, principal.org).await?;
        let checkpoint = audit::checkpoint(&mut snapshot, principal.org).await?;
        let end = match &last {
            Some(segment) => End::of(segment),
            None => End::before_all(checkpoint.as_ref()),
        };
        let unsealed = audit::events_after(&mut snapshot, principal.org, end.mark).await?;
        let pruned = checkpoint.as_ref().map_or(0, |at| at.segment);
        Ok(ChainView {
            sealed_to: end.seq,
            unsealed,
            segments: end.segment - pruned,
            sealed_at: last.as_ref().map(|segment| time(segment.sealed_at)),
            head: (end.seq > 0).then(|| end.head()),
            pruned_to: checkpoint.map(|at| at.last_seq),
        })
    }
}
