//! Stage 4, refuse early: a tool that this user may not use at all says so itself.

use super::passage::{Passage, Stop};
use crate::RegisteredTool;

pub(super) fn refuse_early(passage: &Passage<'_>, tool: &RegisteredTool) -> Result<(), Stop> {
    match tool.built_in.tool.refusal(passage.principal) {
        Some(refusal) => Err(Stop::Refused(refusal.reason)),
        None => Ok(()),
    }
}
