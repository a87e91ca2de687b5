//! The audit: what every call was, in a chain that nobody without the key can change unseen.
//!
//! - [`seal`] chains the transitions of calls, in the order in which they were stored.
//! - [`verify`] proves the chain against what is stored now.
//! - [`story`] tells an administrator what others' calls were, without the values of sensitive fields.
//! - [`erase`] takes what a call was asked with and what it answered out; the chain still holds.
//! - [`prune`] drops the oldest part and keeps a signed checkpoint in its place.

pub(crate) mod chain;
mod entry;
pub(crate) mod erase;
pub(crate) mod head;
pub(crate) mod key;
pub(crate) mod masked;
mod prune;
mod seal;
pub(crate) mod story;
pub(crate) mod verify;

use toolcrib_counter::Principal;
use toolcrib_data::StoreError;

/// Why something about the audit was not done.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The user is no administrator.
    #[error("only administrators may read the audit")]
    NotAllowed,
    /// There is no such call.
    #[error("there is no such call")]
    NotFound,
    /// The call is still under way.
    #[error("the call has not ended; erase what it holds afterwards")]
    NotEnded,
    /// It was erased before.
    #[error("what the call held was erased already")]
    Erased,
    /// An erasure needs a reason, of at most so many characters.
    #[error("say why, in at most {0} characters")]
    Reason(usize),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn check_auditor(principal: &Principal) -> Result<(), AuditError> {
    match principal.has_role("admin") {
        true => Ok(()),
        false => Err(AuditError::NotAllowed),
    }
}
