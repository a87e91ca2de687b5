//! For tests of crashes: the process ends at a commit, as if it was killed there. Only builds for
//! debugging can.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many boundaries of commits are passed until the end; never where it is 0.
static LEFT: AtomicU64 = AtomicU64::new(0);

/// Ends the process at the `boundary`th boundary of a commit from now on: the first is before the
/// first commit, the second right after it, and so on.
pub fn abort_at(boundary: u64) {
    LEFT.store(boundary, Ordering::SeqCst);
}

/// Marks a boundary.
pub(crate) fn boundary() {
    if !cfg!(debug_assertions) || LEFT.load(Ordering::Relaxed) == 0 {
        return;
    }
    if LEFT.fetch_sub(1, Ordering::SeqCst) == 1 {
        // Nothing is run down and nothing flushed: as with `kill -9`.
        std::process::abort();
    }
}
