//! Ends runs from outside: what they still hold open ends with them, in the same unit.

use serde_json::{Value, json};
use toolcrib::id::{CallId, ConversationId, OrgId, RunId};
use toolcrib::state::CallState;
use toolcrib_counter::Principal;
use toolcrib_data::Unit;
use toolcrib_data::platform::runs::{self, RunRow, RunState};
use toolcrib_data::platform::{calls, conversations};

use super::state::LoadedRun;
use crate::{Runtime, RuntimeError};

impl Runtime {
    /// Ends a run that the unit holds, and every call of it that has not ended. Whoever works on it
    /// loses the lease.
    pub(super) async fn end_run_in(
        &self,
        unit: &mut Unit,
        run: RunRow,
        ending: CallState,
        state: RunState,
        finish: &Value,
    ) -> Result<(), RuntimeError> {
        let lease = runs::Lease {
            org: run.org,
            run: run.id,
            epoch: run.epoch,
            owner: self.name().to_owned(),
        };
        let loaded = LoadedRun::load(unit, run).await?;
        let open: Vec<CallId> = loaded
            .calls()
            .filter(|call| !call.row.state.is_ending())
            .map(|call| call.row.id)
            .collect();
        self.counter()
            .close_calls_in(unit, lease.org, &open, ending)
            .await?;
        let now = self.store().clock().micros();
        runs::release(unit, &lease, state, Some(finish), now).await?;
        Ok(())
    }

    /// Gives up a run that can't go on: it fails with `error`, and its calls do not run.
    pub(super) async fn give_up(
        &self,
        org: OrgId,
        run: RunId,
        error: &str,
    ) -> Result<(), RuntimeError> {
        tracing::warn!(%run, error, "the run is given up");
        let mut unit = self.store().unit().await?;
        let row = runs::lock(&mut unit, org, run).await?;
        if let Some(row) = row.filter(|row| row.state.is_open()) {
            let finish = json!({"error": error});
            self.end_run_in(
                &mut unit,
                row,
                CallState::NotStarted,
                RunState::Failed,
                &finish,
            )
            .await?;
            unit.commit().await?;
        }
        Ok(())
    }

    /// Deletes a conversation; what is open in it ends in the same unit. Its calls stay on record.
    ///
    /// # Errors
    /// When storage fails; there is nothing to answer with when the conversation is unknown.
    pub async fn delete_conversation(
        &self,
        principal: &Principal,
        id: ConversationId,
    ) -> Result<Option<()>, RuntimeError> {
        let org = principal.org;
        let mut unit = self.store().unit().await?;
        if conversations::get(&mut unit, org, id, principal.user)
            .await?
            .is_none()
        {
            return Ok(None);
        }
        conversations::lock(&mut unit, org, id).await?;
        runs::lock_open(&mut unit, org, id).await?;
        let open: Vec<CallId> = calls::open_of_conversation(&mut unit, org, id)
            .await?
            .into_iter()
            .map(|call| call.id)
            .collect();
        self.counter()
            .close_calls_in(&mut unit, org, &open, CallState::Cancelled)
            .await?;
        let runs = runs::of_conversation(&mut unit, org, id).await?;
        conversations::delete(&mut unit, org, id, principal.user).await?;
        unit.commit().await?;
        for run in runs.iter().filter(|run| run.state.is_open()) {
            self.stops().stop(run.id);
        }
        Ok(Some(()))
    }
}
