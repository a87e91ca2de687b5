//! Stages 1 and 2, find and offer: a name becomes a tool, if this caller was offered it. What is
//! not offered is unknown, word for word.

use std::sync::Arc;

use toolcrib::unknown_tool;
use toolcrib_data::platform::calls::FoundTool;

use super::passage::{Passage, Stop};
use crate::RegisteredTool;

pub(super) fn find(passage: &mut Passage<'_>) -> Result<Arc<RegisteredTool>, Stop> {
    let registry = &passage.counter.registry;
    let (principal, agent) = (passage.principal, passage.agent.as_ref());
    let Some(tool) = registry.find(&passage.row.tool, principal, agent) else {
        let offered = registry.offered(principal, agent);
        let names = offered.iter().map(|tool| tool.row.name.as_str());
        return Err(Stop::Refused(unknown_tool(&passage.row.tool, names)));
    };
    // A decision was made on one version of the tool; another one is another question.
    let shown = passage.row.found.as_ref().filter(|_| passage.is_approved());
    if shown.is_some_and(|shown| shown.digest != tool.row.digest) {
        let reason =
            "Not run: the tool was changed after this call was shown for approval. Ask again.";
        return Err(Stop::Refused(reason.to_owned()));
    }
    passage.row.found = Some(FoundTool {
        kind: tool.row.kind.clone(),
        version: tool.row.version,
        digest: tool.row.digest.clone(),
        level: tool.level().name().to_owned(),
    });
    passage.timeout = tool.timeout();
    Ok(tool)
}
