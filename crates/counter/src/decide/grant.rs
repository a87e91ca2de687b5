use toolcrib::id::GrantId;
use toolcrib_data::Unit;
use toolcrib_data::platform::approvals::ApprovalRow;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::grants::{self, GrantRow};

use super::who::may_grant;
use super::{DecideError, Decision, DecisionKind, GrantKind};
use crate::path::{digest_of, scope};
use crate::tool::erased::PreparedCall;
use crate::{Counter, Principal};

impl Counter {
    /// Writes down that a decision is for later calls too.
    pub(super) async fn grant(
        &self,
        unit: &mut Unit,
        principal: &Principal,
        decision: &Decision,
        (approval, call): (&ApprovalRow, &CallRow),
    ) -> Result<(), DecideError> {
        let conversation = match decision.grant {
            GrantKind::Once => return Ok(()),
            GrantKind::Always => None,
            GrantKind::Conversation => Some(call.conversation.ok_or(DecideError::NotAllowed(
                "this call belongs to no conversation; decide for this call alone",
            ))?),
        };
        let found = call.found.as_ref();
        let found = found.ok_or(DecideError::NotFound)?;
        if decision.kind != DecisionKind::Approve {
            let told = "only what is approved can be approved for later calls too";
            return Err(DecideError::NotAllowed(told));
        }
        may_grant(principal.user, approval, call).map_err(DecideError::NotAllowed)?;
        let prepared = self.prepared(call).ok_or(DecideError::NotFound)?;
        let grant = GrantRow {
            id: GrantId::mint(),
            user: approval.asker,
            agent: call.agent.clone(),
            tool: call.tool.clone(),
            digest: digest_of(&self.registry, &found.digest, prepared.as_ref()),
            scope: scope(prepared.as_ref()),
            conversation,
            approval: approval.id,
            created_at: self.now(),
            revoked_at: None,
        };
        Ok(grants::insert(unit, principal.org, &grant).await?)
    }

    /// The data model whose function a stored call is, if it is one of a single model.
    #[must_use]
    pub fn model_of(&self, call: &CallRow) -> Option<String> {
        let (model, _) = self.prepared(call)?.function()?;
        Some(model)
    }

    /// A stored call, with its arguments read.
    pub(crate) fn prepared(&self, call: &CallRow) -> Option<Box<dyn PreparedCall>> {
        let tool = self.registry.built_in(&call.tool)?;
        let arguments = serde_json::from_str(call.arguments.as_deref()?).ok()?;
        tool.tool.prepare(arguments).ok()
    }
}
