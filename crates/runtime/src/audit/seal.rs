use std::collections::{BTreeMap, HashMap};

use rand::RngCore as _;
use toolcrib::id::OrgId;
use toolcrib_data::platform::audit::{self, AuditEvent, CallPayload, Segment};
use toolcrib_data::platform::leases;
use toolcrib_data::{ReadFrom, StoreError};

use super::chain::End;
use super::entry::Entry;
use crate::{Runtime, RuntimeError};

/// The most transitions in a segment.
const MOST: u32 = 1000;
const LEASE: &str = "audit";
/// How long a server keeps the work, in microseconds, once it has it.
const LEASE_TIME: i64 = 10_000_000;

impl Runtime {
    /// Seals what is stored and not sealed yet; answers with how many transitions that was.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn seal_all(&self) -> Result<usize, RuntimeError> {
        let mut sealed = 0;
        loop {
            let some = self.seal_some(self.org()).await?;
            sealed += some;
            if some < usize::try_from(MOST).unwrap_or(usize::MAX) {
                return Ok(sealed);
            }
        }
    }

    /// Leaves the work to other servers.
    ///
    /// # Errors
    /// When storage fails.
    pub(crate) async fn end_sealing(&self) -> Result<(), RuntimeError> {
        let mut unit = self.store().unit().await?;
        leases::release(&mut unit, self.org(), LEASE, self.name()).await?;
        Ok(unit.commit().await?)
    }

    /// Reads and seals in one unit, beside which nothing is erased: the hash of a payload that is gone
    /// must not stay.
    async fn seal_some(&self, org: OrgId) -> Result<usize, RuntimeError> {
        let mut snapshot = self.store().snapshot().await?;
        let end = end_of(&mut snapshot, org).await?;
        // Most of the time there is nothing, and nobody need wait for that.
        if audit::events_after(&mut snapshot, org, end.mark).await? == 0 {
            return Ok(0);
        }
        drop(snapshot);
        let mut unit = self.store().unit_alone().await?;
        let end = end_of(&mut unit, org).await?;
        let events = audit::events(&mut unit, org, end.mark, MOST)
            .await?
            .read()?;
        let Some(last) = events.last() else {
            return Ok(0);
        };
        let calls = audit::payloads(&mut unit, org, end.mark, last.mark).await?;
        let segment = self.segment(&end, &events, &by_id(calls.read()?))?;
        let now = self.store().clock().micros();
        let (owner, until) = (self.name(), now + LEASE_TIME);
        let lease = leases::claim(&mut unit, org, LEASE, owner, (now, until)).await?;
        if lease.is_none() || audit::insert(&mut unit, org, &segment).await?.is_none() {
            // Another server does this work; it has sealed these, or will.
            return Ok(0);
        }
        unit.commit().await?;
        self.audit_head().advance(&end, &End::of(&segment));
        Ok(events.len())
    }

    fn segment(
        &self,
        end: &End,
        events: &[AuditEvent],
        rows: &HashMap<String, CallPayload>,
    ) -> Result<Segment, RuntimeError> {
        let mut salts: BTreeMap<String, String> = BTreeMap::new();
        let mut lines = Vec::with_capacity(events.len());
        for (seq, event) in (end.seq + 1..).zip(events) {
            let salt = salts.entry(event.call.to_string()).or_insert_with(salt);
            let entry = Entry::new(seq, event, rows.get(&event.call.to_string()), salt);
            lines.push(json(&entry)?);
        }
        let count = i64::try_from(events.len()).unwrap_or(i64::MAX);
        let mut segment = Segment {
            number: end.segment + 1,
            first_seq: end.seq + 1,
            last_seq: end.seq.saturating_add(count),
            entries: lines.join("\n"),
            salts: json(&salts)?,
            key_id: self.audit_key().id(),
            mac: String::new(),
            mark: events.last().map_or(end.mark, |event| event.mark),
            sealed_at: self.store().clock().micros(),
        };
        segment.mac = end.prove(self.audit_key(), &segment);
        Ok(segment)
    }
}

/// Where the chain of an organisation goes on.
pub(super) async fn end_of(from: &mut impl ReadFrom, org: OrgId) -> Result<End, StoreError> {
    Ok(match audit::last(from, org).await? {
        Some(segment) => End::of(&segment),
        None => End::before_all(audit::checkpoint(from, org).await?.as_ref()),
    })
}

/// Calls by their ids.
pub(super) fn by_id(calls: Vec<CallPayload>) -> HashMap<String, CallPayload> {
    let calls = calls.into_iter();
    calls.map(|call| (call.id.clone(), call)).collect()
}

/// 128 random bits: nobody guesses a payload from its hash.
fn salt() -> String {
    let mut bits = [0_u8; 16];
    rand::rng().fill_bytes(&mut bits);
    hex::encode(bits)
}

fn json(value: &impl serde::Serialize) -> Result<String, RuntimeError> {
    serde_json::to_string(value).map_err(|source| {
        StoreError::Stored {
            what: "an audit entry",
            source,
        }
        .into()
    })
}
