//! Stage 6, rights: the user's, narrowed by the agent's. Rights by record are checked by the tool,
//! where the records are.

use super::passage::{Passage, Stop};
use super::read::Read;
use crate::tool::erased::PreparedCall;

/// What can be said before the hook has had its say.
pub(super) fn check_early(passage: &Passage<'_>, call: &Read) -> Result<(), Stop> {
    call.so_far().map_or(Ok(()), |call| check(passage, call))
}

pub(super) fn check(passage: &Passage<'_>, call: &dyn PreparedCall) -> Result<(), Stop> {
    call.check_rights(passage.principal, passage.agent.as_ref())
        .map_err(|refusal| Stop::Refused(refusal.reason))
}
