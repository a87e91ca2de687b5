//! Writes: what is checked before one, how it is made, and what it would do.
//!
//! A write is prepared first: everything that can be known without writing is checked, and
//! all of it in one place, so that a plan for an approval refuses exactly what the write would.

pub(super) mod asked;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod guard;
pub(super) mod insert;
pub(super) mod lock;
pub(super) mod old;
pub(super) mod settings;
pub(super) mod targets;
pub(super) mod unique;
pub(super) mod update;

use super::error::{Busy, RecordError};
use crate::Unit;

/// The error, after the unit was told if the work may be tried again.
fn noted(unit: &mut Unit, error: RecordError) -> RecordError {
    if matches!(error, RecordError::Busy(Busy::Conflict)) {
        unit.note_conflict();
    }
    error
}
