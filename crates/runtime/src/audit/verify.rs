use std::collections::HashMap;
use std::mem::take;
use std::time::Instant;

use serde::Serialize;
use tokio::task::JoinHandle;
use toolcrib::id::OrgId;
use toolcrib_counter::Principal;
use toolcrib_data::platform::audit::{
    self, AuditEvent, CallPayload, Checkpoint, ERASED, EventLines, PayloadLines, Segment,
};
use toolcrib_data::{Snapshot, StoreError};
use utoipa::ToSchema;

use super::chain::End;
use super::entry::Entry;
use super::key::AuditKey;
use super::prune::signature;
use super::seal::by_id;
use super::{AuditError, check_auditor};
use crate::Runtime;

/// So many problems are told of; more are counted.
const TOLD: usize = 100;
/// So many segments are read at once.
const BATCH: u32 = 16;
/// So many transitions that are not sealed yet are looked at.
const TAIL: u32 = 10_000;
/// Transitions that are read beyond those of a segment, to see some that were put between.
const BEYOND: u32 = 100;

/// What a look at the whole chain found.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// Whether everything holds.
    pub ok: bool,
    /// How many entries were looked at.
    pub entries: i64,
    /// In how many segments.
    pub segments: i64,
    /// The number of the last entry.
    pub sealed_to: i64,
    /// Transitions that are stored and not sealed yet.
    pub unsealed: i64,
    /// Calls whose payload was erased.
    pub erased: i64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// What proves the chain up to its last entry; noted down elsewhere, it shows later whether
    /// anything was cut off.
    pub head: Option<String>,
    /// What does not hold, the first of it.
    pub problems: Vec<ChainProblem>,
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChainProblem {
    /// The entry.
    pub seq: Option<i64>,
    /// The call.
    pub call_id: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Runtime {
    /// Proves the chain from its beginning or checkpoint on, and every transition and call that it
    /// tells of against what is stored now. A `head` that was noted down has to be in it.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn verify_audit(
        &self,
        principal: &Principal,
        head: Option<&str>,
    ) -> Result<Verified, AuditError> {
        check_auditor(principal)?;
        Ok(self.prove_audit(principal.org, head).await?)
    }

    /// As [`Runtime::verify_audit`], for the server itself.
    pub(super) async fn prove_audit(
        &self,
        org: OrgId,
        head: Option<&str>,
    ) -> Result<Verified, StoreError> {
        let begun = Instant::now();
        let noted = self.audit_head().read();
        let mut snapshot = self.store().snapshot().await?;
        let checkpoint = audit::checkpoint(&mut snapshot, org).await?;
        let heads = head.map(str::to_owned).into_iter().chain(noted);
        let mut look = Look::new(
            self.audit_key().clone(),
            checkpoint.as_ref(),
            heads.collect(),
        );
        if audit::events_before(&mut snapshot, org, look.end.mark).await? > 0 {
            look.problem(None, None, "transitions were put in before the chain");
        }
        let pruned_at = checkpoint.as_ref().map(|at| at.pruned_at);
        let most = u32::try_from(TOLD).unwrap_or(u32::MAX);
        for call in audit::untold(&mut snapshot, org, pruned_at, most).await? {
            look.problem(
                None,
                Some(&call),
                "the call has no story: it was put in, or its story taken out",
            );
        }
        let mut end = look.end.clone();
        let mut at_work: Option<JoinHandle<Result<Look, StoreError>>> = None;
        loop {
            let batch = audit::segments(&mut snapshot, org, end.segment, BATCH).await?;
            let mut loaded = Vec::new();
            for segment in batch {
                let stored = Stored::of(&mut snapshot, org, &end, segment).await?;
                end = End::of(&stored.segment);
                loaded.push(stored);
            }
            // What is read is looked at while the next is read: there are two cores for it.
            if let Some(working) = at_work.take() {
                look = working.await.map_err(|_| StoreError::WriterGone)??;
            }
            if loaded.is_empty() {
                break;
            }
            let mut looking = look;
            look = Look::new(self.audit_key().clone(), None, Vec::new());
            at_work = Some(tokio::task::spawn_blocking(move || {
                for stored in &loaded {
                    looking.segment(stored)?;
                }
                Ok(looking)
            }));
        }
        if self.audit_head().is_missing(look.end.seq) {
            look.problem(
                None,
                None,
                "the head that was noted down beside the key is gone",
            );
        }
        let unsealed = audit::events_after(&mut snapshot, org, look.end.mark).await?;
        // What was erased a moment ago is not sealed yet, and is not to be called changed.
        let tail = audit::events(&mut snapshot, org, look.end.mark, TAIL).await?;
        look.tail(&tail.read()?);
        Ok(look.verdict(unsealed, begun))
    }
}

/// A segment, and what is stored now of what it tells of.
struct Stored {
    segment: Segment,
    events: EventLines,
    calls: PayloadLines,
}

impl Stored {
    async fn of(
        snapshot: &mut Snapshot,
        org: OrgId,
        before: &End,
        segment: Segment,
    ) -> Result<Self, StoreError> {
        let count = segment.last_seq.saturating_sub(segment.first_seq);
        let most = u32::try_from(count)
            .unwrap_or(u32::MAX)
            .saturating_add(BEYOND);
        Ok(Self {
            events: audit::events(snapshot, org, before.mark, most).await?,
            calls: audit::payloads(snapshot, org, before.mark, segment.mark).await?,
            segment,
        })
    }
}

const UNKNOWN: &str = "unknown";

/// Whether nothing is left of what a call was asked with and what it answered.
fn is_empty(call: &CallPayload) -> bool {
    let parts = [&call.arguments, &call.result, &call.error];
    call.arguments_asked.is_empty() && parts.iter().all(|part| part.is_none())
}

/// A look at a chain, as far as it has come.
struct Look {
    key: AuditKey,
    /// Heads that were noted down, and not come by yet.
    heads: Vec<String>,
    end: End,
    segments: i64,
    entries: i64,
    erased: i64,
    found: usize,
    problems: Vec<ChainProblem>,
    /// Calls that were asked with something else, or for another reason, than an entry says. A
    /// later entry may say that it was erased.
    changed: HashMap<String, i64>,
    /// Calls that ended otherwise than an entry says. A later entry may say how.
    outdated: HashMap<String, (i64, String)>,
}

impl Look {
    fn new(key: AuditKey, checkpoint: Option<&Checkpoint>, heads: Vec<String>) -> Self {
        let mut look = Self {
            key,
            heads,
            end: End::before_all(checkpoint),
            segments: 0,
            entries: 0,
            erased: 0,
            found: 0,
            problems: Vec::new(),
            changed: HashMap::new(),
            outdated: HashMap::new(),
        };
        if let Some(at) = checkpoint
            && signature(&look.key, at) != at.signature
        {
            look.problem(
                Some(at.last_seq),
                None,
                "the checkpoint is not signed with this key",
            );
        }
        look.pass_head();
        look
    }

    /// Notes that the chain was once at the head that was noted down.
    fn pass_head(&mut self) {
        let head = self.end.head();
        self.heads.retain(|noted| *noted != head);
    }

    /// What is not sealed yet, and says of sealed calls that they were erased.
    fn tail(&mut self, events: &[AuditEvent]) {
        for event in events
            .iter()
            .filter(|event| event.waiting_for.as_deref() == Some(ERASED))
        {
            let call = event.call.to_string();
            self.changed.remove(&call);
            self.outdated.remove(&call);
        }
    }

    fn problem(&mut self, seq: Option<i64>, call: Option<&str>, message: &str) {
        self.found += 1;
        if self.problems.len() < TOLD {
            self.problems.push(ChainProblem {
                seq,
                call_id: call.map(str::to_owned),
                message: message.to_owned(),
            });
        }
    }

    fn segment(&mut self, stored: &Stored) -> Result<(), StoreError> {
        let segment = &stored.segment;
        let first = Some(segment.first_seq);
        if segment.number != self.end.segment + 1 || segment.first_seq != self.end.seq + 1 {
            self.problem(first, None, "entries before this one are gone");
        }
        if segment.key_id != self.key.id() {
            self.problem(first, None, "these entries were sealed with another key");
        } else if self.end.prove(&self.key, segment) != segment.mac {
            self.problem(first, None, "these entries are not those that were sealed");
        }
        let mut events = stored.events.read()?;
        events.retain(|event| event.mark <= segment.mark);
        let rows = by_id(stored.calls.read()?);
        self.entries(segment, &events, &rows);
        self.segments += 1;
        self.end = End::of(segment);
        self.pass_head();
        Ok(())
    }

    fn entries(
        &mut self,
        segment: &Segment,
        events: &[AuditEvent],
        rows: &HashMap<String, CallPayload>,
    ) {
        let salts: HashMap<&str, &str> = match serde_json::from_str(&segment.salts) {
            Ok(salts) => salts,
            Err(_) => {
                let first = Some(segment.first_seq);
                self.problem(first, None, "the salts of these entries can't be read");
                HashMap::new()
            }
        };
        let mut live: HashMap<(String, i64), &AuditEvent> = events
            .iter()
            .map(|event| ((event.call.to_string(), event.number), event))
            .collect();
        let mut seq = segment.first_seq;
        for line in segment.entries.lines() {
            self.entries += 1;
            match serde_json::from_str::<Entry>(line) {
                Ok(entry) if entry.seq == seq => {
                    let event = live.remove(&(entry.call.clone(), entry.n));
                    let row = rows.get(&entry.call);
                    self.entry(&entry, event, row, salts.get(entry.call.as_str()).copied());
                }
                _ => self.problem(Some(seq), None, "the entry can't be read"),
            }
            seq += 1;
        }
        if seq != segment.last_seq + 1 {
            self.problem(
                Some(segment.last_seq),
                None,
                "entries of this segment are gone",
            );
        }
        for event in live.into_values() {
            let call = event.call.to_string();
            self.problem(
                None,
                Some(&call),
                "a transition was put in behind the chain",
            );
        }
    }

    fn entry(
        &mut self,
        entry: &Entry,
        event: Option<&AuditEvent>,
        row: Option<&CallPayload>,
        salt: Option<&str>,
    ) {
        let at = (Some(entry.seq), Some(entry.call.as_str()));
        let Some(event) = event else {
            self.problem(at.0, at.1, "the transition is gone");
            return;
        };
        let now = Entry::new(entry.seq, event, row, salt.unwrap_or_default());
        if !entry.is_of(&now) {
            self.problem(at.0, at.1, "the transition was changed");
        }
        if entry.is_erasure() {
            self.erased += 1;
            // What it was before can't be compared with anything any more.
            self.changed.remove(&entry.call);
            self.outdated.remove(&entry.call);
            if row.is_none_or(|row| !is_empty(row)) {
                self.problem(at.0, at.1, "what was erased is there again");
            }
            if salt.is_some() && entry.reason != now.reason {
                self.changed.insert(entry.call.clone(), entry.seq);
            }
            return;
        }
        if (entry.asked.is_some() || entry.ended.is_some()) && row.is_none() {
            self.problem(at.0, at.1, "the call is gone");
        }
        let mut same = entry.reason == now.reason;
        if let (Some(then), Some(now)) = (&entry.asked, &now.asked) {
            same &= then.arguments == now.arguments;
            if !then.is_alike(now) {
                self.problem(at.0, at.1, "who asked for what was changed");
            }
        }
        if !same {
            self.changed.insert(entry.call.clone(), entry.seq);
        }
        match (&entry.ended, &now.ended) {
            // Only of an end that nobody knew it comes out later what it was.
            (Some(then), Some(now)) if then == now => {
                let outdated = self.outdated.get(&entry.call);
                if outdated.is_some_and(|(_, state)| state == UNKNOWN) {
                    self.outdated.remove(&entry.call);
                }
            }
            (Some(_), Some(_)) => {
                let as_was = (entry.seq, entry.state.clone());
                self.outdated.entry(entry.call.clone()).or_insert(as_was);
            }
            _ => {}
        }
    }

    fn verdict(mut self, unsealed: i64, begun: Instant) -> Verified {
        for (calls, message) in [
            (
                take(&mut self.changed),
                "what it was asked with, or why it was decided so, was changed",
            ),
            (
                take(&mut self.outdated)
                    .into_iter()
                    .map(|(call, (seq, _))| (call, seq))
                    .collect(),
                "what ran, or what came of it, was changed",
            ),
        ] {
            let mut calls: Vec<(String, i64)> = calls.into_iter().collect();
            calls.sort_by_key(|(_, seq)| *seq);
            for (call, seq) in calls {
                self.problem(Some(seq), Some(&call), message);
            }
        }
        if !self.heads.is_empty() {
            let message =
                "the head that was noted down is not in the chain: it was cut off or made anew";
            self.problem(None, None, message);
        }
        Verified {
            ok: self.found == 0,
            entries: self.entries,
            segments: self.segments,
            sealed_to: self.end.seq,
            unsealed,
            erased: self.erased,
            took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            head: (self.end.seq > 0).then(|| self.end.head()),
            problems: self.problems,
        }
    }
}
