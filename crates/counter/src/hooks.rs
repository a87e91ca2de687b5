//! Hooks: code of the program around the calls of tools whose rows name it.
//!
//! A hook may change what goes into a tool and what comes out of it. It guards nothing: what fails lets the
//! call go on as it was, unless the row says that it must succeed.

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolcrib::id::{CallId, ConversationId};

use crate::path::{CallMode, CallOutcome, CallRequest};
use crate::{Counter, CounterError, Principal};
use toolcrib_data::platform::calls::Via;

/// What comes of a hook: something else, or nothing to leave it as it is; else why it failed, for the log and
/// for those who look at the call.
pub type HookFuture<'a, T> = Pin<Box<dyn Future<Output = Result<Option<T>, String>> + Send + 'a>>;

/// What the keys against repetition of hooks' calls begin with; nobody else's do.
pub const HOOK_KEY: &str = "hook:";

/// Code around calls. A capability becomes one by implementing this and one line of registration.
pub trait Hook: Debug + Send + Sync + 'static {
    /// The name that rows of tools use; no two hooks have the same.
    fn name(&self) -> &str;

    /// Before a call, with its arguments as they were read. It has no way to other tools.
    fn before<'a>(
        &'a self,
        _of: Hooked<'a>,
        _arguments: Map<String, Value>,
    ) -> HookFuture<'a, Map<String, Value>> {
        Box::pin(async { Ok(None) })
    }

    /// After a call that did its work, with its output. After a crash it may be asked again.
    fn after<'a>(
        &'a self,
        _of: Hooked<'a>,
        _output: Value,
        _tools: HookTools<'a>,
    ) -> HookFuture<'a, Value> {
        Box::pin(async { Ok(None) })
    }
}

/// What a hook knows of the call.
#[derive(Clone, Copy, Debug)]
pub struct Hooked<'a> {
    /// The call.
    pub call: CallId,
    /// The tool.
    pub tool: &'a str,
    /// On whose behalf.
    pub principal: &'a Principal,
    /// The agent that asked.
    pub agent: Option<&'a str>,
    /// The conversation that it belongs to.
    pub conversation: Option<ConversationId>,
}

/// The way to other tools, for a hook after a call: over the counter, with the rights of who asked.
#[derive(Debug)]
pub struct HookTools<'a> {
    pub(crate) counter: &'a Counter,
    pub(crate) of: Hooked<'a>,
    pub(crate) hook: &'a str,
    pub(crate) via: Via,
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) made: AtomicU32,
}

impl HookTools<'_> {
    /// Calls a tool; the arguments are a JSON object. Asked again after a crash, its first, second … call is
    /// answered with what the first, second … came to. A call that a hook makes has no hooks.
    ///
    /// # Errors
    /// When the counter itself can't do its work.
    pub async fn call(&self, tool: &str, arguments: &str) -> Result<CallOutcome, CounterError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let key = format!("{HOOK_KEY}{}:{}:{number}", self.of.call, self.hook);
        let request = CallRequest {
            principal: self.of.principal,
            tool,
            arguments,
            via: self.via,
            conversation: self.of.conversation,
            mode: CallMode::Real,
            idempotency_key: Some(&key),
            cancel: self.cancel.clone(),
        };
        let agent = self.of.agent.map(|name| self.counter.agent(name));
        Box::pin(self.counter.call_of_hook(request, agent)).await
    }
}

/// When a hook is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HookMoment {
    /// Before the call.
    Before,
    /// After it.
    After,
}

/// What a hook did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HookOutcome {
    /// It changed arguments or output.
    Changed,
    /// It left them as they were.
    Left,
    /// It failed, and they were left as they were.
    Failed,
}

/// What a hook did around a call, as it is kept with the call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HookNote {
    /// The hook.
    pub hook: String,
    /// When.
    pub moment: HookMoment,
    /// What it did.
    pub outcome: HookOutcome,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
