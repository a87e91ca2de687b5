//! Stage 8 for a call that its user decided on before: with all of it the same, nobody is asked again.

use toolcrib_data::platform::grants::{self, Covered};
use toolcrib_data::platform::tools::ApprovalTerms;

use super::bind;
use super::passage::{Passage, Stop};
use crate::RegisteredTool;
use crate::tool::Level;
use crate::tool::erased::PreparedCall;

/// Whether a decision for later calls covers this one. That it does is written down.
pub(super) async fn covers(
    passage: &Passage<'_>,
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
    if found.is_none() {
        return Ok(false);
    }
    let mut unit = counter.store.unit().await?;
    // It may have been revoked a moment ago.
    let Some(grant) = grants::covering(&mut unit, org, call).await? else {
        return Ok(false);
    };
    grants::note_use(&mut unit, org, (passage.row.id, grant.id), counter.now()).await?;
    unit.commit().await?;
    tracing::info!(call = %passage.row.id, grant = %grant.id, "a call is covered by a grant");
    Ok(true)
}
