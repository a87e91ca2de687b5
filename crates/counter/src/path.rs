//! The path of a call, read from top to bottom.

mod approval;
mod bind;
pub(crate) mod close;
pub(crate) mod edit;
mod events;
mod find;
mod grant;
mod hooks;
mod measure;
mod on_connection;
mod passage;
mod read;
mod refuse;
mod replay;
mod rights;
mod run;
mod trial;

use tokio_util::sync::CancellationToken;
use toolcrib::agent::step::CallText;
use toolcrib::id::{CallId, ConversationId};
use toolcrib::state::CallState;
use toolcrib_data::platform::approvals::ApprovalRow;
use toolcrib_data::platform::calls::{self, CallRow, Via};
use toolcrib_data::platform::conversations;
use toolcrib_data::platform::runs::Lease;

use self::passage::{Passage, Stop};
use crate::{AgentScope, Counter, CounterError, Principal};

pub(crate) use self::bind::{digest_of, scope};
pub(crate) use self::hooks::UNSEEN;
pub use self::measure::{model_text, stored_text};
pub use self::trial::Trial;

/// How long a caller's key against repetition holds, in microseconds.
const KEY_KEPT: i64 = 24 * 3_600 * 1_000_000;

/// Whether what a call writes stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallMode {
    /// It stays.
    #[default]
    Real,
    /// The call is tried: it runs, and what it writes is undone.
    Trial,
}

impl CallMode {
    /// The mode inside a conversation that is a trial or not, or that is not there any more: nobody
    /// can say then that it was none.
    #[must_use]
    pub fn in_conversation(self, is_trial: Option<bool>) -> Self {
        match is_trial {
            Some(false) => self,
            Some(true) | None => Self::Trial,
        }
    }

    /// What is stored with a call that has not run yet.
    #[must_use]
    pub fn stored(self) -> Option<String> {
        match self {
            Self::Real => None,
            Self::Trial => Some(Trial::default().stored()),
        }
    }
}

/// A request to run a tool.
#[derive(Debug)]
pub struct CallRequest<'a> {
    /// On whose behalf.
    pub principal: &'a Principal,
    /// The tool's name, as asked.
    pub tool: &'a str,
    /// The arguments, as asked.
    pub arguments: &'a str,
    /// How the request came in.
    pub via: Via,
    /// The conversation it belongs to.
    pub conversation: Option<ConversationId>,
    /// Whether what it writes stays.
    pub mode: CallMode,
    /// The caller's key against repetition. A trial has no use for one: it changes nothing.
    pub idempotency_key: Option<&'a str>,
    /// Set when the call should end.
    pub cancel: CancellationToken,
}

impl CallRequest<'_> {
    /// The key against repetition, where a repetition would change something.
    fn key(&self) -> Option<&str> {
        self.idempotency_key.filter(|_| self.mode == CallMode::Real)
    }
}

/// What a run brings along for a call that its step stored.
#[derive(Debug)]
pub struct FromRun<'a> {
    /// The right to work on the run.
    pub lease: &'a Lease,
    /// What the run's agent lends.
    pub agent: &'a AgentScope,
}

/// Where a call stands after the counter has dealt with it.
#[derive(Clone, Debug)]
pub struct CallOutcome {
    /// The call.
    pub row: CallRow,
    /// The decision it waits for, if it does.
    pub approval: Option<ApprovalRow>,
}

impl CallOutcome {
    /// How it ended, in words.
    #[must_use]
    pub fn text(&self) -> CallText {
        stored_text(&self.row)
    }
}

/// The stages, in order. Each passes, or stops the call: refused, failed, or waiting. A call that had run when
/// its server died goes on at the eleventh. Rights that need no hook are looked at before it, too; where there is
/// no hook after the call, what follows the tenth stage is stored with what the tool wrote.
async fn walk(passage: &mut Passage<'_>) -> Result<(), Stop> {
    if passage.row.state == CallState::Ran {
        return hooks::go_on(passage).await;
    }
    let tool = find::find(passage)?; //                                1 find, 2 offer
    let call = read::read(passage, &tool)?; //                         3 read
    refuse::refuse_early(passage, &tool)?; //                          4 refuse early
    rights::check_early(passage, &call)?;
    let call = hooks::before(passage, &tool, call).await?; //          5 before hooks
    rights::check(passage, call.as_ref())?; //                         6 rights
    if passage.row.trial.is_some() {
        return trial::run(passage, &tool, call.as_ref()).await;
    }
    approval::pass(passage, &tool, call.as_ref()).await?; //           7 before approval, 8 approval
    events::before(passage, &tool, call.as_ref()).await?; //           9 pre event
    run::run(passage, &tool, call.as_ref()).await?; //                 10 run
    hooks::after(passage, &tool).await //                              11 after hooks, 12 measure, 13 post event, 14 close
}

impl Counter {
    /// Takes a new call along the path.
    ///
    /// # Errors
    /// When the counter itself can't do its work; a call that is refused or fails is no error.
    pub async fn call(&self, request: CallRequest<'_>) -> Result<CallOutcome, CounterError> {
        self.call_once(request, Passage::new_call).await
    }

    /// A call that a hook makes: it has no hooks of its own, and is narrowed as the hook's call is.
    pub(crate) async fn call_of_hook(
        &self,
        request: CallRequest<'_>,
        agent: Option<AgentScope>,
    ) -> Result<CallOutcome, CounterError> {
        self.call_once(request, |counter, request| {
            let mut passage = Passage::new_call(counter, request);
            passage.make_of_hook(agent.clone());
            passage
        })
        .await
    }

    async fn call_once<'a>(
        &'a self,
        mut request: CallRequest<'a>,
        passage: impl Fn(&'a Self, &CallRequest<'a>) -> Passage<'a>,
    ) -> Result<CallOutcome, CounterError> {
        if let Some(conversation) = request.conversation {
            let org = request.principal.org;
            request.mode = request.mode.in_conversation(
                conversations::is_trial(&mut self.store.snapshot().await?, org, conversation)
                    .await?,
            );
        }
        let request = &request;
        if let Some(earlier) = self.repeated(request).await? {
            return Ok(earlier);
        }
        match self.take(passage(self, request)).await {
            // Another request with the same key was faster: its outcome is the answer. It may stand
            // in the transaction that refused this one; an empty unit returns after its commit.
            Err(CounterError::Store(error)) if request.key().is_some() => {
                self.store.unit().await?.commit().await?;
                self.repeated(request)
                    .await?
                    .ok_or(CounterError::Store(error))
            }
            outcome => outcome,
        }
    }

    /// Goes on with a stored call that was asked for by a run, decided in favour, or has run.
    ///
    /// # Errors
    /// When the counter itself can't do its work, or the lease is lost.
    pub async fn resume(
        &self,
        principal: &Principal,
        id: CallId,
        run: Option<FromRun<'_>>,
        cancel: CancellationToken,
    ) -> Result<CallOutcome, CounterError> {
        let row = calls::get(&mut self.store.snapshot().await?, principal.org, id).await?;
        let row = row
            .filter(|row| row.asker == principal.user)
            .ok_or(CounterError::WrongState(CallState::Unknown))?;
        if !matches!(
            row.state,
            CallState::Asked | CallState::Approved | CallState::Ran
        ) {
            return Err(CounterError::WrongState(row.state));
        }
        self.take(Passage::stored_call(
            self,
            principal,
            row,
            run.as_ref(),
            cancel,
        ))
        .await
    }

    async fn take(&self, mut passage: Passage<'_>) -> Result<CallOutcome, CounterError> {
        // Boxed: what tools do is large, and callers hold it in futures of their own.
        let walked = Box::pin(walk(&mut passage)).await;
        if let Err(Stop::Error(CounterError::WrongState(CallState::Ran))) = &walked {
            // It has run, and somebody else who went on with it was faster.
            let (org, id) = (passage.row.org, passage.row.id);
            let row = calls::get(&mut self.store.snapshot().await?, org, id).await?;
            let approval = passage.approval;
            return row
                .map(|row| CallOutcome { row, approval })
                .ok_or(CounterError::WrongState(CallState::Ran));
        }
        match walked {
            Ok(()) => {}
            Err(Stop::Refused(reason)) => {
                close::alone(&mut passage, close::Ending::refused(reason)).await?;
            }
            Err(Stop::Failed(reason)) => {
                close::alone(&mut passage, close::Ending::failed(reason)).await?;
            }
            Err(Stop::Cancelled) => {
                close::alone(&mut passage, close::Ending::cancelled()).await?;
            }
            Err(Stop::Waiting) => {}
            Err(Stop::Error(error)) => return Err(error),
        }
        events::wake(&passage);
        let CallRow {
            id, tool, state, ..
        } = &passage.row;
        tracing::info!(call = %id, tool, %state, "call passed the counter");
        Ok(CallOutcome {
            row: passage.row,
            approval: passage.approval,
        })
    }

    async fn repeated(
        &self,
        request: &CallRequest<'_>,
    ) -> Result<Option<CallOutcome>, CounterError> {
        let Some(key) = request.key() else {
            return Ok(None);
        };
        let principal = request.principal;
        let mut snapshot = self.store.snapshot().await?;
        let found = calls::by_key(
            &mut snapshot,
            principal.org,
            principal.user,
            request.tool,
            key,
        )
        .await?;
        let Some(row) = found else { return Ok(None) };
        let now = self.now();
        if row.asked_at <= now.saturating_sub(KEY_KEPT) {
            let mut unit = self.store.unit().await?;
            calls::free_key(&mut unit, row.org, row.id, now).await?;
            unit.commit().await?;
            return Ok(None);
        }
        if row.arguments_asked != request.arguments {
            return Err(CounterError::KeyReused);
        }
        let approval =
            toolcrib_data::platform::approvals::of_call(&mut snapshot, principal.org, row.id)
                .await?;
        Ok(Some(CallOutcome { row, approval }))
    }
}
