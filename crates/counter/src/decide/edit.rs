use toolcrib::id::ApprovalId;
use toolcrib_data::platform::approvals::ApprovalStatus;
use toolcrib_data::platform::calls::CallChange;
use toolcrib_data::platform::people;

use super::who::{may_decide, seen};
use super::{DecideError, Decision, DecisionKind};
use crate::path::edit::{People, Redrawn, Unfit, redraw};
use crate::{Counter, Principal};

impl Counter {
    /// What the edited arguments of a decision make of the call; nothing where none were edited.
    pub(super) async fn redraw(
        &self,
        principal: &Principal,
        id: ApprovalId,
        decision: &Decision,
    ) -> Result<Option<Redrawn>, DecideError> {
        let Some(arguments) = &decision.arguments else {
            return Ok(None);
        };
        if decision.kind != DecisionKind::Approve {
            let told = "arguments are edited to be approved, not to be turned down";
            return Err(DecideError::NotAllowed(told));
        }
        let mut snapshot = self.store.snapshot().await?;
        let (approval, call) = seen(&mut snapshot, principal, id).await?;
        may_decide(principal, &approval, &call)?;
        if !approval.terms.edit {
            let told = "the arguments of this tool can't be edited; ask for a change";
            return Err(DecideError::NotAllowed(told));
        }
        let asker = people::user(&mut snapshot, principal.org, approval.asker).await?;
        let asker = asker.filter(|user| !user.disabled);
        let asker = asker.ok_or(DecideError::NotAllowed("who asked is not here any more"))?;
        drop(snapshot);
        // Before anything is tried with them: they are about what was shown, and once.
        if approval.status != ApprovalStatus::Pending {
            return Err(DecideError::AlreadyDecided(Box::new(approval)));
        }
        if approval.arguments_hash != decision.arguments_hash {
            return Err(DecideError::Stale);
        }
        let asker = Principal::new(asker, None);
        let agent = call.agent.as_deref().map(|name| self.agent(name));
        let people = People {
            asker: &asker,
            editor: principal,
        };
        let told = redraw(self, people, agent, (&call, &approval), arguments).await;
        match told {
            Ok(redrawn) => Ok(Some(redrawn)),
            Err(Unfit::Told(reason)) => Err(DecideError::Arguments(reason)),
            Err(Unfit::Error(error)) => Err(error.into()),
        }
    }
}

impl Redrawn {
    /// What it changes in the call.
    pub(super) fn change(self) -> CallChange {
        CallChange {
            arguments: Some(self.arguments),
            arguments_hash: Some(self.arguments_hash),
            found: self.found,
            title: Some(self.title),
            ..CallChange::default()
        }
    }
}
