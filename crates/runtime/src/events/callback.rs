use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use toolcrib_data::platform::subscribers::PreMode;

use super::payload::ToolEvent;

/// What a subscriber says to an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "camelCase")]
pub enum Answer {
    /// The call may run; or: heard.
    Allow,
    /// The call does not run.
    Deny {
        /// Why; the language model and the person are told.
        #[serde(default)]
        reason: Option<String>,
    },
}

/// What comes of an event; a failure is told to administrators, in a sentence.
pub type Received<'a> = Pin<Box<dyn Future<Output = Result<Answer, String>> + Send + 'a>>;

/// A subscriber in the program that embeds the application.
pub trait Callback: Debug + Send + Sync + 'static {
    /// What people call it; no two have the same name.
    fn name(&self) -> &str;

    /// The tools whose events it gets; all, where there are none.
    fn tools(&self) -> &[String] {
        &[]
    }

    /// What it has to do with events before calls.
    fn pre(&self) -> PreMode {
        PreMode::Off
    }

    /// Whether it is told after calls.
    fn post(&self) -> bool {
        false
    }

    /// Receives an event: at least once, in order for each call. What failed is tried again; who was
    /// asked and failed has not agreed.
    fn receive<'a>(&'a self, event: &'a ToolEvent) -> Received<'a>;
}

/// How long a callback may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How stored events name callbacks.
const PREFIX: &str = "callback:";

pub(super) fn key(callback: &dyn Callback) -> String {
    format!("{PREFIX}{}", callback.name())
}

/// The name in a key, if it is that of a callback.
pub(super) fn named(key: &str) -> Option<&str> {
    key.strip_prefix(PREFIX)
}

/// Lets a callback receive an event; a panic is a failure of its.
pub(super) async fn hand(callback: &dyn Callback, event: &ToolEvent) -> Result<Answer, String> {
    let received = AssertUnwindSafe(async { callback.receive(event).await });
    let received = tokio::time::timeout(PATIENCE, received.catch_unwind()).await;
    match received {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err("the callback panicked".to_owned()),
        Err(_) => Err(format!("the callback took longer than {PATIENCE:?}")),
    }
}
