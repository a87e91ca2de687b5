//! What becomes of a call that was under way when its server died.

use toolcrib::agent::step::ending_text;
use toolcrib::id::{CallId, OrgId};
use toolcrib::state::CallState;
use toolcrib_data::Written;
use toolcrib_data::platform::calls::{self, CallChange, CallEvent, CallRow};
use toolcrib_data::platform::handles;

use crate::hooks::HOOK_KEY;
use crate::mark::Mark;
use crate::path::close::note;
use crate::tool::erased::PreparedCall;
use crate::{Counter, CounterError};

impl Counter {
    /// Ends a call that was under way when its server died: as it ended, where a connection kept a
    /// mark of it, else as unknown.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn settle(&self, org: OrgId, id: CallId) -> Result<(), CounterError> {
        let row = calls::get(&mut self.store.snapshot().await?, org, id).await?;
        let Some(row) = row.filter(|row| row.state == CallState::Running) else {
            return Ok(());
        };
        let prepared = self.prepared(&row);
        let written = self.written(&row, prepared.as_deref()).await;
        let (state, change, mark) = match written {
            Written::Result(mark) => {
                let (state, change, mark) = by_mark(&row, &mark);
                (self.after_mark(&row, state), change, mark)
            }
            Written::Nothing => {
                let error = "The server stopped before anything was written.";
                (CallState::Failed, told(error), None)
            }
            Written::Unknown => unknown(),
        };
        let event = CallEvent {
            state,
            at: self.now(),
            by: None,
            reason: None,
        };
        let mut unit = self.store.unit().await?;
        let from = [CallState::Running];
        if !calls::transition(&mut unit, org, id, &from, &event, &change).await? {
            return Ok(());
        }
        let prepared = prepared.as_deref();
        self.tell_settled(&mut unit, org, (id, &row.tool, state), prepared)
            .await?;
        if let Some(mark) = mark {
            if let Some(handle) = mark.handle(&row) {
                handles::insert(&mut unit, org, &handle).await?;
            }
            if let Some(touched) = &mark.touched {
                note(&mut unit, (org, id), touched, self.now()).await?;
            }
        }
        unit.commit().await?;
        Ok(())
    }

    /// Where a call stands that a mark tells of: what a hook has still to look at is not at its end.
    fn after_mark(&self, row: &CallRow, state: CallState) -> CallState {
        let tool = self.registry.row(&row.tool);
        let is_of_hook = row
            .idempotency_key
            .as_deref()
            .is_some_and(|key| key.starts_with(HOOK_KEY));
        match !is_of_hook && tool.is_some_and(|tool| tool.row.settings.hooks.after.is_some()) {
            true if state == CallState::Succeeded => CallState::Ran,
            _ => state,
        }
    }

    /// What the connection that the call wrote to knows of it.
    async fn written(&self, row: &CallRow, prepared: Option<&dyn PreparedCall>) -> Written {
        let Some(connection) = prepared.and_then(PreparedCall::connection) else {
            return Written::Unknown;
        };
        match self.connections.written(&connection, row.id).await {
            Ok(written) => written,
            Err(error) => {
                tracing::error!(%error, call = %row.id, "a write that was cut off can't be settled");
                Written::Unknown
            }
        }
    }
}

/// How a call ended, by what its connection kept of it.
fn by_mark(row: &CallRow, mark: &str) -> (CallState, CallChange, Option<Mark>) {
    let Ok(mark) = serde_json::from_str::<Mark>(mark) else {
        tracing::error!(call = %row.id, "the mark of a write can't be read");
        return unknown();
    };
    let change = CallChange {
        result: Some(mark.result.clone()),
        shown: mark.shown,
        tags: mark.tags.clone(),
        handle: mark.handle(row).map(|handle| handle.id),
        ..CallChange::default()
    };
    (CallState::Succeeded, change, Some(mark))
}

fn unknown() -> (CallState, CallChange, Option<Mark>) {
    let text = ending_text(CallState::Unknown);
    (CallState::Unknown, told(text), None)
}

fn told(error: &str) -> CallChange {
    CallChange {
        error: Some(error.to_owned()),
        ..CallChange::default()
    }
}
