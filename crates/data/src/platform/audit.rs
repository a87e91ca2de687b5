//! The audit chain: transitions of calls in the order in which they were stored, in sealed segments.

mod events;
mod segments;

pub use events::{
    AuditEvent, CallPayload, ERASED, EventLines, Mark, PayloadLines, erase, events, events_after,
    events_before, is_erased, payloads, untold,
};
pub use segments::{
    Checkpoint, Segment, checkpoint, drop_before, insert, last, newest_segment_before,
    replace_salts, segment_of, segments,
};
