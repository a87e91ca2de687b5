//! Built-in tools: the trait for authors, and one private object type for dispatch.

pub(crate) mod erased;
pub(crate) mod function;

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use toolcrib::ToolResult;
use toolcrib::id::CallId;
use toolcrib_data::records::{ModelFunction, Operation, Tags};
use toolcrib_data::{Snapshot, Unit};

use crate::{AgentScope, Card, CardChange, CardField, CardRecord, Principal};

/// How dangerous a built-in tool is; given in code, never by configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Changes nothing, and never asks.
    ReadOnly,
    /// Changes something, and asks if its row says so.
    Write,
    /// Can't be undone, and always asks.
    Destructive,
}

impl Level {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }
}

/// What a built-in tool is, before anybody configures it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// The name that models call.
    pub name: Cow<'static, str>,
    /// The name for people.
    pub title: Cow<'static, str>,
    /// What it does and returns, for the model.
    pub description: Cow<'static, str>,
    /// `system` or `record`.
    pub kind: &'static str,
    /// How dangerous it is.
    pub level: Level,
    /// JSON Schema of its input.
    pub input_schema: Value,
}

/// A refusal: the call does not run, and the model is told why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the model and the person are told.
    pub reason: String,
}

impl Refusal {
    /// A refusal with that reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// What a tool says of a call before a person is asked.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// What would happen.
    pub title: String,
    /// What the button says.
    pub verb: String,
    /// How much it touches.
    pub summary: Option<String>,
    /// The arguments in words.
    pub fields: Vec<CardField>,
    /// The records it touches, at most 100.
    pub records: Vec<CardRecord>,
    /// How many records it touches.
    pub record_count: usize,
    /// What would change.
    pub changes: Vec<CardChange>,
    /// What the affected records look like now; the call is refused as stale if that changes.
    pub fingerprint: Option<String>,
}

impl Preview {
    pub(crate) fn into_card(self, level: Level, arguments: Value) -> (Card, Option<String>) {
        let card = Card {
            title: self.title,
            verb: self.verb,
            level,
            irreversible: level == Level::Destructive,
            summary: self.summary,
            fields: self.fields,
            records: self.records,
            record_count: self.record_count,
            changes: self.changes,
            arguments,
        };
        (card, self.fingerprint)
    }
}

/// The database as a call may use it.
#[derive(Debug)]
pub enum Work<'a> {
    /// Reads only.
    Read(&'a mut Snapshot),
    /// Reads and writes, in the call's own unit.
    Write(&'a mut Unit),
    /// None: the tool runs outside any transaction.
    Outside,
}

/// On whose behalf something is asked, and through which agent.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// On whose behalf.
    pub principal: &'a Principal,
    /// What the agent narrows it to.
    pub agent: Option<&'a AgentScope>,
}

/// What a tool knows of its call.
#[derive(Debug)]
pub struct CallContext<'a> {
    /// On whose behalf.
    pub principal: &'a Principal,
    /// What the agent narrows it to.
    pub agent: Option<&'a AgentScope>,
    /// The call.
    pub call: CallId,
    /// Set when the call should end.
    pub cancel: &'a CancellationToken,
    /// What the tool says of where the values of its answer come from.
    pub tags: &'a TagSlot,
    /// The moment that counts as now, in microseconds since 1970: that of a call that is made again.
    /// The clock's where there is none.
    pub at: Option<i64>,
    /// Where the tool says which records it wrote.
    pub touched: &'a Slot<Touched>,
    /// The database.
    pub work: Work<'a>,
}

/// Where a tool says something beside its answer.
#[derive(Debug)]
pub struct Slot<T>(Mutex<Option<T>>);

/// Where a tool says what of the data models its answer holds. An answer of which nothing is said
/// does not reach a reader that anything is kept from.
pub type TagSlot = Slot<Tags>;

/// The records that a call wrote, for their activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The data model.
    pub model: String,
    /// What was done.
    pub operation: Operation,
    /// The ids, as text.
    pub ids: Vec<String>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Slot<T> {
    /// Says it; what was said before is forgotten.
    pub fn set(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    pub(crate) fn said(&self) -> Option<T>
    where
        T: Clone,
    {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl CallContext<'_> {
    /// On whose behalf the call runs.
    #[must_use]
    pub fn caller(&self) -> Caller<'_> {
        Caller {
            principal: self.principal,
            agent: self.agent,
        }
    }
}

/// A tool that is built in. A capability becomes one by implementing this and one line of
/// registration.
pub trait SystemTool: Send + Sync + 'static {
    /// What it takes.
    type Input: DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// The name that models call.
    fn name(&self) -> &'static str;

    /// The name for people.
    fn title(&self) -> &'static str;

    /// What it does and returns, for the model.
    fn description(&self) -> &'static str;

    /// `system`, or `record` for a function of a data model.
    fn kind(&self) -> &'static str {
        "system"
    }

    /// How dangerous it is.
    fn level(&self) -> Level;

    /// Whether its work is several steps, or somebody else's: it then holds no transaction.
    fn runs_outside_transaction(&self) -> bool {
        false
    }

    /// Whether a rollback undoes all that it does; else a trial does not run it.
    fn undone_by_rollback(&self) -> bool {
        true
    }

    /// The connection whose database the call works on; the platform's own where there is none.
    fn connection(&self, _input: &Self::Input) -> Option<String> {
        None
    }

    /// The function of a data model that the call is, if it changes records of one. Where it has a
    /// row of its own, that row has a say in whether a person is asked.
    fn function(&self, _input: &Self::Input) -> Option<(String, ModelFunction)> {
        None
    }

    /// Why this user may not use the tool at all.
    fn refusal(&self, _principal: &Principal) -> Option<Refusal> {
        None
    }

    /// Whether the user, narrowed by the agent, has the rights that the call needs; decided
    /// before anything is read. Rights by record are checked where the records are.
    fn check_rights(
        &self,
        _principal: &Principal,
        _agent: Option<&AgentScope>,
        _input: &Self::Input,
    ) -> Result<(), Refusal> {
        Ok(())
    }

    /// What the approval card shows, or why the call can't work. Reads, never writes.
    fn before_approval(
        &self,
        context: &mut CallContext<'_>,
        input: &Self::Input,
    ) -> impl Future<Output = Result<Preview, Refusal>> + Send {
        let title = self.call_title(context.caller(), input, self.title());
        async move {
            Ok(Preview {
                verb: title.clone(),
                title,
                ..Preview::default()
            })
        }
    }

    /// Whether what the card showed still holds; asked in the unit, right before the run.
    fn check_unchanged(
        &self,
        _context: &mut CallContext<'_>,
        _input: &Self::Input,
        _fingerprint: &str,
    ) -> impl Future<Output = Result<(), Refusal>> + Send {
        async { Ok(()) }
    }

    /// What this call is called in the list of what ran, in words that the caller may read.
    fn call_title(&self, _caller: Caller<'_>, _input: &Self::Input, configured: &str) -> String {
        configured.to_owned()
    }

    /// Text for the system prompt, once a run.
    fn provide_context(&self, _caller: Caller<'_>) -> impl Future<Output = Option<String>> + Send {
        async { None }
    }

    /// Does the work.
    fn run(
        &self,
        context: &mut CallContext<'_>,
        input: &Self::Input,
    ) -> impl Future<Output = ToolResult> + Send;
}
