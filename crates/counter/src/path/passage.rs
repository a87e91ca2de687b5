use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;
use toolcrib::id::{CallId, GrantId};
use toolcrib::state::CallState;
use toolcrib_data::platform::approvals::ApprovalRow;
use toolcrib_data::platform::calls::{CallEvent, CallRow};
use toolcrib_data::platform::runs::Lease;

use super::events::Events;
use super::{CallRequest, FromRun};
use crate::hooks::HOOK_KEY;
use crate::tool::{CallContext, Slot, TagSlot, Touched, Work};
use crate::{AgentScope, Counter, CounterError, Principal};

/// A call on its way past the counter.
pub(crate) struct Passage<'a> {
    pub(crate) counter: &'a Counter,
    pub(crate) principal: &'a Principal,
    pub(crate) agent: Option<AgentScope>,
    pub(crate) lease: Option<&'a Lease>,
    pub(crate) cancel: CancellationToken,
    pub(crate) row: CallRow,
    /// Whether the row stands in the database already.
    pub(crate) is_stored: bool,
    /// What happened to a call that is not stored yet.
    pub(crate) events: Vec<CallEvent>,
    pub(crate) approval: Option<ApprovalRow>,
    /// How long the tool may take, if its row says.
    pub(crate) timeout: Option<Duration>,
    /// The decision for later calls that covers it.
    pub(crate) grant: Option<GrantId>,
    /// What others are told of it.
    pub(crate) outgoing: Events,
    /// Whether a person decided in favour of it before it came here.
    approved: bool,
    /// Which arguments it takes: callers send not all that there are.
    takes: Takes,
    /// What the tool said of where its answer comes from.
    pub(crate) tags: TagSlot,
    /// What it said of the records that it wrote.
    pub(crate) touched: Slot<Touched>,
}

/// Which of a tool's parameters arguments may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Those that callers send.
    Offered,
    /// Those that hooks fill, too.
    All,
}

/// Why a call goes no further.
pub(crate) enum Stop {
    /// A stage did not let it through.
    Refused(String),
    /// It could not be done.
    Failed(String),
    /// It was stopped.
    Cancelled,
    /// It waits, and is stored so.
    Waiting,
    /// The counter itself broke down.
    Error(CounterError),
}

impl<E: Into<CounterError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl<'a> Passage<'a> {
    pub(super) fn new_call(counter: &'a Counter, request: &CallRequest<'a>) -> Self {
        let principal = request.principal;
        let now = counter.now();
        let row = CallRow {
            org: principal.org,
            id: CallId::mint(),
            place: None,
            provider_call_id: None,
            conversation: request.conversation,
            agent: None,
            via: request.via,
            asker: principal.user,
            credential: principal
                .credential
                .as_ref()
                .map(|credential| credential.id),
            tool: request.tool.chars().take(200).collect(),
            found: None,
            title: request.tool.chars().take(200).collect(),
            state: CallState::Asked,
            arguments_asked: request.arguments.to_owned(),
            arguments: None,
            arguments_hash: None,
            repairs: None,
            result: None,
            error: None,
            shown: false,
            handle: None,
            tags: None,
            idempotency_key: request.key().map(str::to_owned),
            trial: request.mode.stored(),
            hooks: None,
            asked_at: now,
            started_at: None,
            ended_at: None,
        };
        let asked = CallEvent {
            state: CallState::Asked,
            at: now,
            by: Some(principal.user),
            reason: None,
        };
        Self {
            counter,
            principal,
            agent: None,
            lease: None,
            cancel: request.cancel.clone(),
            row,
            is_stored: false,
            events: vec![asked],
            approval: None,
            timeout: None,
            grant: None,
            outgoing: Events::default(),
            approved: false,
            takes: Takes::Offered,
            tags: TagSlot::default(),
            touched: Slot::default(),
        }
    }

    pub(super) fn stored_call(
        counter: &'a Counter,
        principal: &'a Principal,
        row: CallRow,
        run: Option<&FromRun<'a>>,
        cancel: CancellationToken,
    ) -> Self {
        let approved = row.state == CallState::Approved;
        Self {
            counter,
            principal,
            approved,
            // A call that a hook made has no run of its own, and is narrowed as its hook's call was.
            agent: match run {
                Some(run) => Some(run.agent.clone()),
                None => row.agent.as_deref().map(|name| counter.agent(name)),
            },
            lease: run.map(|run| run.lease),
            cancel,
            row,
            is_stored: true,
            events: Vec::new(),
            approval: None,
            timeout: None,
            grant: None,
            outgoing: Events::default(),
            takes: match approved {
                true => Takes::All,
                false => Takes::Offered,
            },
            tags: TagSlot::default(),
            touched: Slot::default(),
        }
    }

    /// A waiting call whose arguments are read anew; nothing of it is stored from here.
    pub(super) fn edited_call(
        counter: &'a Counter,
        principal: &'a Principal,
        agent: Option<AgentScope>,
        row: CallRow,
        cancel: CancellationToken,
    ) -> Self {
        let mut passage = Self::stored_call(counter, principal, row, None, cancel);
        passage.agent = agent;
        passage.approved = false;
        // A hook filled them before they were frozen.
        passage.takes = Takes::All;
        passage
    }

    /// Makes it a call that a hook makes.
    pub(super) fn make_of_hook(&mut self, agent: Option<AgentScope>) {
        self.row.agent = agent.as_ref().map(|agent| agent.name.clone());
        self.agent = agent;
        self.takes = Takes::All;
    }

    /// Whether a hook made it.
    pub(super) fn is_of_hook(&self) -> bool {
        let key = self.row.idempotency_key.as_deref();
        key.is_some_and(|key| key.starts_with(HOOK_KEY))
    }

    /// Which arguments it takes.
    pub(super) fn takes(&self) -> Takes {
        self.takes
    }

    /// An earlier call of the same run that is made again; nothing of it is stored from here.
    pub(super) fn earlier_call(&self, mut row: CallRow) -> Self {
        // It runs with the arguments that ran, whatever was asked for.
        if let Some(arguments) = row.arguments.clone() {
            row.arguments_asked = arguments;
        }
        let agent = row.agent.as_deref().map(|name| self.counter.agent(name));
        let cancel = self.cancel.clone();
        Self::edited_call(self.counter, self.principal, agent, row, cancel)
    }

    /// Whether a person decided in favour of this call.
    pub(super) fn is_approved(&self) -> bool {
        self.approved
    }

    pub(super) fn context<'c>(&'c self, work: Work<'c>) -> CallContext<'c> {
        CallContext {
            principal: self.principal,
            agent: self.agent.as_ref(),
            call: self.row.id,
            cancel: &self.cancel,
            tags: &self.tags,
            // A trial may be made again, and has to come out the same.
            at: self.row.trial.as_ref().and(self.row.started_at),
            touched: &self.touched,
            work,
        }
    }

    /// The context of the run, with nothing said yet of its answer.
    pub(super) fn running<'c>(&'c self, work: Work<'c>) -> CallContext<'c> {
        drop(self.tags.take());
        drop(self.touched.take());
        self.context(work)
    }

    /// Freezes the arguments that run: from here on they are these bytes.
    pub(super) fn freeze(&mut self, digest: &str, arguments: String) {
        self.row.arguments_hash = Some(hash_arguments(&self.row.tool, digest, &arguments));
        self.row.arguments = Some(arguments);
    }
}

/// The hash that a decision names: that of the arguments, with a nonce that stays inside.
pub(crate) fn shown_hash(nonce: &str, arguments_hash: &str) -> String {
    hash_arguments(nonce, "", arguments_hash)
}

/// The hash of what runs: of the tool, its version, and the stored bytes of the arguments.
pub(crate) fn hash_arguments(tool: &str, digest: &str, arguments: &str) -> String {
    let mut hash = Sha256::new();
    for part in [tool, digest, arguments] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hex::encode(hash.finalize())
}
