//! Decisions on calls that wait, and the other ways in which waiting ends.

mod edit;
mod grant;
pub(crate) mod who;

use serde_json::{Map, Value};
use toolcrib::agent::step::{Closing, ending_text};
use toolcrib::id::{ApprovalId, CallId, OrgId, UserId};
use toolcrib::state::{CallState, WaitingFor};
use toolcrib_data::platform::approvals::{self, ApprovalRow, ApprovalStatus, Decided};
use toolcrib_data::platform::calls::{self, CallChange, CallEvent, CallRow};
use toolcrib_data::platform::runs::{self, Lease};
use toolcrib_data::{StoreError, Unit};

use self::who::{may_decide, seen};
use crate::path::UNSEEN;
use crate::path::edit::Redrawn;
use crate::{Counter, CounterError, Principal};

/// What a person decides.
#[derive(Clone, Debug)]
pub struct Decision {
    /// In favour, against, or back with a wish.
    pub kind: DecisionKind,
    /// Why; goes to the model.
    pub reason: Option<String>,
    /// The hash of the arguments that the person saw.
    pub arguments_hash: String,
    /// The arguments that it is approved with, where the tool's row lets who decides edit them.
    pub arguments: Option<Map<String, Value>>,
    /// Which later calls it is for too.
    pub grant: GrantKind,
}

/// Which later calls a decision in favour is for too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GrantKind {
    /// None.
    #[default]
    Once,
    /// Those like it in the same conversation.
    Conversation,
    /// All like it.
    Always,
}

impl Decision {
    /// The reason as it is kept.
    fn reason(&self) -> Result<Option<String>, DecideError> {
        let reason = self.reason.as_deref().and_then(cleaned);
        match &reason {
            Some(reason) if reason.chars().count() > LONGEST_REASON => {
                Err(DecideError::ReasonTooLong)
            }
            None if self.kind == DecisionKind::RequestChange => Err(DecideError::ReasonMissing),
            Some(_) | None => Ok(reason),
        }
    }
}

/// The kinds of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionKind {
    /// Run it.
    Approve,
    /// Don't.
    Reject,
    /// Not like this.
    RequestChange,
}

impl DecisionKind {
    /// What it makes of an approval, and of its call.
    fn outcome(self) -> (ApprovalStatus, CallState) {
        match self {
            Self::Approve => (ApprovalStatus::Approved, CallState::Approved),
            Self::Reject => (ApprovalStatus::Rejected, CallState::Rejected),
            Self::RequestChange => (ApprovalStatus::ChangeRequested, CallState::Rejected),
        }
    }
}

/// Why a decision does not count.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is no such approval, or not for this user.
    #[error("there is no such approval")]
    NotFound,
    /// This credential may not decide.
    #[error("{0}")]
    NotAllowed(&'static str),
    /// It is decided already.
    #[error("already {}", .0.status.name())]
    AlreadyDecided(Box<ApprovalRow>),
    /// The decision is about other arguments.
    #[error("the request is not the one that was shown; look at it again")]
    Stale,
    /// The edited arguments are not fit.
    #[error("{0}")]
    Arguments(String),
    /// A change was asked for without saying which.
    #[error("say what should change")]
    ReasonMissing,
    /// The reason is a document.
    #[error("a reason has at most 4,000 characters")]
    ReasonTooLong,
    /// The counter itself broke down.
    #[error(transparent)]
    Counter(#[from] CounterError),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The longest reason, in characters.
const LONGEST_REASON: usize = 4000;

const WAITING: CallState = CallState::Waiting(WaitingFor::Approval);

impl Counter {
    /// Writes a decision down. What was approved is then ready to run: a run is woken, a call
    /// without one is resumed by the caller.
    ///
    /// # Errors
    /// When the decision does not count; nothing is changed then.
    pub async fn decide(
        &self,
        principal: &Principal,
        id: ApprovalId,
        decision: &Decision,
    ) -> Result<(ApprovalRow, CallRow), DecideError> {
        let redrawn = self.redraw(principal, id, decision).await?;
        let mut unit = self.store.unit().await?;
        let (approval, call) = seen(&mut unit, principal, id).await?;
        may_decide(principal, &approval, &call)?;
        hold_run(&mut unit, &call).await?;
        if approval.status != ApprovalStatus::Pending {
            // The unit may stand behind the winner's in one transaction: after its commit the
            // decision is there for everybody to read.
            unit.commit().await?;
            return Err(DecideError::AlreadyDecided(Box::new(approval)));
        }
        if approval.arguments_hash != decision.arguments_hash {
            return Err(DecideError::Stale);
        }
        let reason = decision.reason()?;
        let now = self.now();
        let is_late = approval.expires_at <= now;
        let (status, state) = match is_late {
            true => (ApprovalStatus::Expired, CallState::Expired),
            false => decision.kind.outcome(),
        };
        let redrawn = redrawn.filter(|_| !is_late);
        if let Some(redrawn) = &redrawn {
            // Who was faster decided on something else.
            if !approvals::edit(&mut unit, principal.org, id, &redrawn.edited).await? {
                return Err(DecideError::AlreadyDecided(Box::new(approval)));
            }
        }
        let end = WaitEnd {
            status,
            state,
            by: (!is_late).then_some(principal),
            change: redrawn.map_or_else(|| telling(status, reason.as_deref()), Redrawn::change),
            reason,
            at: now,
        };
        let decided = end_waiting(&mut unit, &approval, &end).await?;
        let approval = approvals::get(&mut unit, principal.org, id)
            .await?
            .ok_or(DecideError::NotFound)?;
        if !decided {
            return Err(DecideError::AlreadyDecided(Box::new(approval)));
        }
        let call = calls::get(&mut unit, principal.org, approval.call)
            .await?
            .ok_or(DecideError::NotFound)?;
        if !is_late {
            self.grant(&mut unit, principal, decision, (&approval, &call))
                .await?;
        }
        unit.commit().await?;
        tracing::info!(approval = %id, call = %approval.call, status = status.name(), "approval decided");
        if is_late {
            Err(DecideError::AlreadyDecided(Box::new(approval)))
        } else {
            Ok((approval, call))
        }
    }

    /// Ends every approval that nobody decided in time. Answers with the calls that ended.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn expire(&self) -> Result<Vec<CallRow>, CounterError> {
        let now = self.now();
        let lapsed = approvals::lapsed(&mut self.store.snapshot().await?, now, 200).await?;
        let mut ended = Vec::new();
        for approval in lapsed {
            let mut unit = self.store.unit().await?;
            let call = calls::get(&mut unit, approval.org, approval.call).await?;
            if let Some(call) = &call {
                hold_run(&mut unit, call).await?;
            }
            let end = WaitEnd {
                status: ApprovalStatus::Expired,
                state: CallState::Expired,
                by: None,
                reason: None,
                change: telling(ApprovalStatus::Expired, None),
                at: now,
            };
            if end_waiting(&mut unit, &approval, &end).await? {
                ended.extend(calls::get(&mut unit, approval.org, approval.call).await?);
                unit.commit().await?;
            }
        }
        Ok(ended)
    }

    /// Ends calls that have not begun, in one unit: superseded, cancelled, or not started.
    ///
    /// # Errors
    /// When storage fails or the lease is lost.
    pub async fn close_calls(
        &self,
        org: OrgId,
        lease: Option<&Lease>,
        ids: &[CallId],
        why: Closing,
    ) -> Result<(), CounterError> {
        let mut unit = self.store.unit().await?;
        if let Some(lease) = lease
            && !runs::holds(&mut unit, lease).await?
        {
            return Err(CounterError::LeaseLost);
        }
        self.end_calls(&mut unit, org, ids, why.ending(), why.text())
            .await?;
        unit.commit().await?;
        Ok(())
    }

    /// As [`Counter::close_calls`], in a unit that the caller has begun.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn close_calls_in(
        &self,
        unit: &mut Unit,
        org: OrgId,
        ids: &[CallId],
        ending: CallState,
    ) -> Result<(), CounterError> {
        self.end_calls(unit, org, ids, ending, ending_text(ending))
            .await
    }

    async fn end_calls(
        &self,
        unit: &mut Unit,
        org: OrgId,
        ids: &[CallId],
        ending: CallState,
        text: &str,
    ) -> Result<(), CounterError> {
        let now = self.now();
        let status = if ending == CallState::Superseded {
            ApprovalStatus::Superseded
        } else {
            ApprovalStatus::Cancelled
        };
        for id in ids {
            if let Some(approval) = approvals::of_call(unit, org, *id).await? {
                let decided = Decided {
                    status,
                    at: now,
                    by: None,
                    credential: None,
                    reason: None,
                };
                approvals::decide(unit, org, approval.id, &decided).await?;
            }
            let open = [CallState::Asked, WAITING, CallState::Approved];
            let ended = end_call(unit, (org, *id), &open, (ending, text), now).await?;
            // What was handed out already can't be called back: nobody knows what becomes of it.
            if !ended && !self.end_ran(unit, (org, *id), now).await? {
                end_unknown(unit, (org, *id), now).await?;
            }
        }
        Ok(())
    }

    /// Ends a call that has run, and that its hook does not look at any more: with what its tool answered, if
    /// the hook did not have to have a say and a model can take it.
    async fn end_ran(
        &self,
        unit: &mut Unit,
        (org, id): (OrgId, CallId),
        at: i64,
    ) -> Result<bool, StoreError> {
        let row = calls::get(unit, org, id).await?;
        let Some(row) = row.filter(|row| row.state == CallState::Ran) else {
            return Ok(false);
        };
        let tool = self.registry.row(&row.tool);
        let must = tool.is_none_or(|tool| {
            let after = tool.row.settings.hooks.after.as_ref();
            after.is_some_and(|hook| hook.must_succeed)
        });
        let result = row
            .result
            .clone()
            .filter(|result| !must && (row.shown || result.len() <= self.options.largest_result));
        let change = CallChange {
            error: result.is_none().then(|| UNSEEN.to_owned()),
            result,
            ..CallChange::default()
        };
        let event = CallEvent {
            state: match change.result {
                Some(_) => CallState::Succeeded,
                None => CallState::Failed,
            },
            at,
            by: None,
            reason: change.error.clone(),
        };
        let prepared = self.prepared(&row);
        let of = (id, row.tool.as_str(), event.state);
        self.tell_settled(unit, org, of, prepared.as_deref())
            .await?;
        calls::transition(unit, org, id, &[CallState::Ran], &event, &change).await
    }
}

/// Ends a call in the words of its ending. Answers whether it was in one of `from`.
async fn end_call(
    unit: &mut Unit,
    (org, id): (OrgId, CallId),
    from: &[CallState],
    (ending, text): (CallState, &str),
    at: i64,
) -> Result<bool, StoreError> {
    let event = CallEvent {
        state: ending,
        at,
        by: None,
        reason: None,
    };
    let change = CallChange {
        error: Some(text.to_owned()),
        ..CallChange::default()
    };
    calls::transition(unit, org, id, from, &event, &change).await
}

/// Ends a call that was handed out and of which nothing more is known.
async fn end_unknown(unit: &mut Unit, call: (OrgId, CallId), at: i64) -> Result<bool, StoreError> {
    let unknown = CallState::Unknown;
    let ending = (unknown, ending_text(unknown));
    end_call(unit, call, &[CallState::Running], ending, at).await
}

/// Holds the run of a call before anything is done to the call, as its driver does.
async fn hold_run(unit: &mut Unit, call: &CallRow) -> Result<(), StoreError> {
    if let Some(place) = call.place {
        runs::lock(unit, call.org, place.run).await?;
    }
    Ok(())
}

struct WaitEnd<'a> {
    status: ApprovalStatus,
    state: CallState,
    by: Option<&'a Principal>,
    reason: Option<String>,
    change: CallChange,
    at: i64,
}

/// Ends the waiting of one call: the decision, the call's transition, and its run woken.
async fn end_waiting(
    unit: &mut Unit,
    approval: &ApprovalRow,
    end: &WaitEnd<'_>,
) -> Result<bool, StoreError> {
    let by: Option<UserId> = end.by.map(|principal| principal.user);
    let credential = end
        .by
        .and_then(|principal| principal.credential.as_ref())
        .map(|credential| credential.id);
    let decided = Decided {
        status: end.status,
        at: end.at,
        by,
        credential,
        reason: end.reason.clone(),
    };
    if !approvals::decide(unit, approval.org, approval.id, &decided).await? {
        return Ok(false);
    }
    let event = CallEvent {
        state: end.state,
        at: end.at,
        by,
        reason: end.reason.clone(),
    };
    if !calls::transition(
        unit,
        approval.org,
        approval.call,
        &[WAITING],
        &event,
        &end.change,
    )
    .await?
    {
        return Ok(false);
    }
    if let Some(call) = calls::get(unit, approval.org, approval.call).await?
        && let Some(place) = call.place
    {
        runs::wake(unit, approval.org, place.run, end.at).await?;
    }
    Ok(true)
}

/// A reason without what can't be seen; none if nothing is left.
fn cleaned(reason: &str) -> Option<String> {
    let visible: String = reason
        .chars()
        .filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t'))
        .collect();
    Some(visible.trim().to_owned()).filter(|reason| !reason.is_empty())
}

/// What a decision without edits changes in its call: what the model is told.
fn telling(status: ApprovalStatus, reason: Option<&str>) -> CallChange {
    CallChange {
        error: told(status, reason),
        ..CallChange::default()
    }
}

/// What the model is told of a decision against the call.
fn told(status: ApprovalStatus, reason: Option<&str>) -> Option<String> {
    match (status, reason) {
        (ApprovalStatus::Rejected, Some(reason)) => Some(format!("Rejected by the user: {reason}")),
        (ApprovalStatus::Rejected, None) => {
            Some("Rejected by the user, who gave no reason.".to_owned())
        }
        (ApprovalStatus::ChangeRequested, reason) => Some(format!(
            "Not run. The user asks for a change: {}",
            reason.unwrap_or_default()
        )),
        (ApprovalStatus::Expired, _) => Some(ending_text(CallState::Expired).to_owned()),
        _ => None,
    }
}
