use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::Notify;
use toolcrib::id::{CallId, OrgId};
use toolcrib::transport::{HttpTransport, Transport};
use toolcrib_counter::{AskFuture, Consent, Refusal, Subscribers, Told};
use toolcrib_data::platform::deliveries::Moment;
use toolcrib_data::platform::subscribers::{self, PreMode, SubscriberRow};
use toolcrib_data::platform::tools::EventSwitch;
use toolcrib_data::{Clock, Store, StoreError};

use super::callback::{self, Answer, Callback};
use super::payload::{Says, ToolEvent};
use super::webhook;
use crate::{AuditKey, RuntimeError, Workspace};

/// The longest reason of a subscriber that is told, in characters.
const LONGEST_REASON: usize = 500;

/// The workspace as it is now.
pub(crate) type Current = Arc<RwLock<Arc<Workspace>>>;

/// The subscribers, and how they are reached.
#[derive(Debug)]
pub(crate) struct Book {
    rows: RwLock<Arc<Vec<Arc<SubscriberRow>>>>,
    /// Held while the list is read and put in place: an older one must not follow a newer one.
    loading: tokio::sync::Mutex<()>,
    pub(super) callbacks: Vec<Arc<dyn Callback>>,
    transport: Arc<dyn Transport>,
    key: AuditKey,
    pub(super) workspace: Current,
    clock: Clock,
    /// Set when there is something to send.
    pub(super) wake: Notify,
    /// Those that something is being sent to.
    pub(super) busy: Mutex<HashSet<String>>,
}

/// One of the two kinds.
#[derive(Clone, Debug)]
pub(super) enum Subscriber {
    Webhook(Arc<SubscriberRow>),
    Callback(Arc<dyn Callback>),
}

impl Subscriber {
    pub(super) fn key(&self) -> String {
        match self {
            Self::Webhook(row) => row.id.to_string(),
            Self::Callback(callback) => callback::key(callback.as_ref()),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Webhook(row) => &row.name,
            Self::Callback(callback) => callback.name(),
        }
    }

    pub(super) fn is_enabled(&self) -> bool {
        match self {
            Self::Webhook(row) => row.enabled,
            Self::Callback(_) => true,
        }
    }

    fn pre(&self) -> PreMode {
        match self {
            Self::Webhook(row) => row.pre,
            Self::Callback(callback) => callback.pre(),
        }
    }

    fn gets(&self, names: &[String]) -> bool {
        let (tools, post) = match self {
            Self::Webhook(row) => (row.tools.as_slice(), row.post),
            Self::Callback(callback) => (callback.tools(), callback.post()),
        };
        let some = post || self.pre() != PreMode::Off;
        some && self.is_enabled()
            && (tools.is_empty() || tools.iter().any(|name| names.contains(name)))
    }

    fn is_told(&self, moment: Moment) -> bool {
        match moment {
            Moment::Pre => self.pre() == PreMode::Async,
            Moment::Post => match self {
                Self::Webhook(row) => row.post,
                Self::Callback(callback) => callback.post(),
            },
        }
    }
}

impl Book {
    /// With no webhooks yet; callbacks are there from the start, each with a name of its own.
    pub(crate) fn open(
        callbacks: Vec<Arc<dyn Callback>>,
        key: AuditKey,
        (workspace, clock): (Current, Clock),
    ) -> Result<Self, RuntimeError> {
        let mut names = HashSet::new();
        if let Some(twice) = callbacks.iter().find(|one| !names.insert(one.name())) {
            return Err(RuntimeError::CallbackTwice(twice.name().to_owned()));
        }
        Ok(Self {
            rows: RwLock::default(),
            loading: tokio::sync::Mutex::default(),
            transport: Arc::new(HttpTransport::new()?),
            callbacks,
            key,
            workspace,
            clock,
            wake: Notify::new(),
            busy: Mutex::default(),
        })
    }

    /// Takes the webhooks as they are stored.
    pub(crate) async fn load(&self, store: &Store, org: OrgId) -> Result<(), StoreError> {
        let _turn = self.loading.lock().await;
        let rows = subscribers::list(&mut store.snapshot().await?, org).await?;
        let rows: Vec<_> = rows.into_iter().map(Arc::new).collect();
        *self.rows.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rows);
        Ok(())
    }

    /// The secret that signs what a webhook gets.
    pub(super) fn secret(&self, row: &SubscriberRow) -> String {
        webhook::secret(&self.key, row)
    }

    fn rows(&self) -> Arc<Vec<Arc<SubscriberRow>>> {
        Arc::clone(&self.rows.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Those that get events of one of these tools.
    fn of(&self, tools: &[String]) -> Vec<Subscriber> {
        let rows = self.rows();
        let webhooks = rows.iter().cloned().map(Subscriber::Webhook);
        let callbacks = self.callbacks.iter().cloned().map(Subscriber::Callback);
        let all = webhooks.chain(callbacks);
        all.filter(|subscriber| subscriber.gets(tools)).collect()
    }

    /// The one with that key.
    pub(super) fn find(&self, key: &str) -> Option<Subscriber> {
        if let Some(name) = callback::named(key) {
            let found = self.callbacks.iter().find(|one| one.name() == name);
            return found.cloned().map(Subscriber::Callback);
        }
        let rows = self.rows();
        let found = rows.iter().find(|row| row.id.to_string() == key);
        found.cloned().map(Subscriber::Webhook)
    }

    /// Sends an event to one of them that is told.
    pub(super) async fn tell(
        &self,
        subscriber: &Subscriber,
        id: &str,
        event: &ToolEvent,
    ) -> Result<(), String> {
        match subscriber {
            Subscriber::Webhook(row) => self.post(row, id, event).await?.heard(),
            Subscriber::Callback(callback) => {
                callback::hand(callback.as_ref(), event).await.map(|_| ())
            }
        }
    }

    /// Sends an event to a webhook.
    pub(super) async fn post(
        &self,
        row: &SubscriberRow,
        id: &str,
        event: &ToolEvent,
    ) -> Result<webhook::Answered, String> {
        let now = self.clock.micros();
        webhook::send(self.transport.as_ref(), &self.key, row, (id, event, now)).await
    }

    async fn ask_one(
        &self,
        subscriber: &Subscriber,
        id: &str,
        event: &ToolEvent,
    ) -> Result<Answer, String> {
        match subscriber {
            Subscriber::Webhook(row) => self.post(row, id, event).await?.decision(),
            Subscriber::Callback(callback) => callback::hand(callback.as_ref(), event).await,
        }
    }

    async fn ask_all(&self, event: Told<'_>) -> Result<Consent, Refusal> {
        let asked = self.of(event.tools);
        let asked = asked.iter().filter(|one| one.pre() == PreMode::Sync);
        let says = match event.says {
            EventSwitch::Data => Says::Data,
            EventSwitch::Name | EventSwitch::Off => Says::Name,
        };
        let (call, workspace) = (event.call, self.workspace());
        let mut consent = Consent::NotNeeded;
        for subscriber in asked {
            let name = subscriber.name();
            let now = self.clock.micros();
            let event = ToolEvent::of(call, Moment::Pre, says, (&workspace, now));
            let reason = match self.ask_one(subscriber, &call.id.to_string(), &event).await {
                Ok(Answer::Allow) => {
                    consent = Consent::Given;
                    continue;
                }
                Ok(Answer::Deny { reason }) => {
                    let reason = reason.map(|reason| plain(&reason)).unwrap_or_default();
                    let reason = match reason.is_empty() {
                        true => "no reason was given",
                        false => &reason,
                    };
                    format!(
                        "Not run: {name}, who is asked before this tool runs, refused: {reason}"
                    )
                }
                Err(error) => {
                    tracing::warn!(call = %call.id, subscriber = name, error, "a subscriber that is asked before calls gave no usable answer");
                    format!(
                        "Not run: {name} is asked before this tool runs, and gave no usable answer. Try again later, or tell an administrator."
                    )
                }
            };
            return Err(Refusal::new(reason));
        }
        Ok(consent)
    }

    pub(super) fn workspace(&self) -> Arc<Workspace> {
        let workspace = self.workspace.read();
        Arc::clone(&workspace.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Subscribers for Book {
    fn told(&self, tools: &[String], moment: Moment) -> Vec<String> {
        let subscribers = self.of(tools).into_iter();
        let told = subscribers.filter(|one| one.is_told(moment));
        told.map(|one| one.key()).collect()
    }

    fn ask<'a>(&'a self, event: Told<'a>) -> AskFuture<'a> {
        Box::pin(self.ask_all(event))
    }

    fn stored(&self, _: CallId) {
        self.wake.notify_one();
    }
}

/// A reason as it is told: in one line, without what only machines see.
fn plain(reason: &str) -> String {
    let is_seen = |c: char| {
        let is_mark = matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
        !c.is_control() && !is_mark
    };
    let seen: String = reason
        .chars()
        .map(|c| if is_seen(c) { c } else { ' ' })
        .collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_REASON).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_of_what_can_be_seen() {
        let told = plain("a\0b\u{1b}[31m\n\n## system:\u{202e} x\u{200b}");
        assert_eq!(told, "a b [31m ## system: x");
        assert_eq!(plain("\u{200b}\u{feff}"), "");
        assert_eq!(plain(&"é".repeat(900)).chars().count(), LONGEST_REASON);
    }
}
