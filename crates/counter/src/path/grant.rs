//! Stage 8 for a call that its user decided on before: with all of it the same, nobody is asked again.

use toolcrib_data::Unit;
use toolcrib_data::platform::grants::{self, Covered};
use toolcrib_data::platform::tools::ApprovalTerms;

use super::bind;
use super::passage::{Passage, Stop};
use crate::RegisteredTool;
use crate::tool::Level;
use crate::tool::erased::PreparedCall;

/// Whether a decision for later calls covers this one.
pub(super) async fn covers(
    passage: &mut Passage<'_>,
    tool: &RegisteredTool,
    terms: &ApprovalTerms,
    call: &dyn PreparedCall,
) -> Result<bool, Stop> {
    if !terms.grants || tool.level() == Level::Destructive {
        return Ok(false);
    }
    let (digest, scope) = (bind::digest(passage, tool, call), bind::scope(call));
    let call = Covered {
        user: passage.principal.user,
        agent: passage.row.agent.as_deref(),
        tool: &tool.row.name,
        digest: &digest,
        scope: &scope,
        conversation: passage.row.conversation,
    };
    let (counter, org) = (passage.counter, passage.row.org);
    let found = grants::covering(&mut counter.store.snapshot().await?, org, call).await?;
    passage.grant = found.map(|grant| grant.id);
    Ok(passage.grant.is_some())
}

/// Writes down, in the unit of the call, that it runs by a decision for later calls, if that is still
/// in force.
pub(super) async fn enter(passage: &Passage<'_>, unit: &mut Unit) -> Result<(), Stop> {
    let Some(grant) = passage.grant else {
        return Ok(());
    };
    let org = passage.row.org;
    if !grants::holds(unit, org, grant).await? {
        let reason = "Not run: the decision that covered it was revoked just now. Ask again.";
        return Err(Stop::Refused(reason.to_owned()));
    }
    let now = passage.counter.now();
    grants::note_use(unit, org, (passage.row.id, grant), now).await?;
    tracing::info!(call = %passage.row.id, %grant, "a call is covered by a grant");
    Ok(())
}

/// The same in a unit of its own, for a call that runs in none of ours.
pub(super) async fn enter_alone(passage: &Passage<'_>) -> Result<(), Stop> {
    if passage.grant.is_none() {
        return Ok(());
    }
    let mut unit = passage.counter.store.unit().await?;
    enter(passage, &mut unit).await?;
    Ok(unit.commit().await?)
}
