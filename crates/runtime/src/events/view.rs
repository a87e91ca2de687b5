//! Subscribers and events on their way, as administrators see them.

use serde::Serialize;
use toolcrib_data::platform::deliveries::{DeliveryRow, DeliveryStatus};
use toolcrib_data::platform::subscribers::SubscriberRow;
use utoipa::ToSchema;

use super::callback::{self, Callback};
use crate::time;

/// A subscriber of events.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriberView {
    /// Its id.
    pub id: String,
    /// `webhook`, or `callback` of the program that embeds the application.
    pub kind: &'static str,
    /// What people call it.
    pub name: String,
    /// Where events are sent; none for callbacks.
    pub url: Option<String>,
    /// The tools whose events it gets; all, where there are none.
    pub tools: Vec<String>,
    /// Before calls: `off`, `async` (it is told) or `sync` (without its consent no call runs).
    pub pre: &'static str,
    /// Whether it is told after calls.
    pub post: bool,
    /// How long it may take to answer, in milliseconds; none for callbacks.
    pub timeout_ms: Option<u32>,
    /// Whether it gets anything.
    pub enabled: bool,
    /// The version; 0 for callbacks.
    pub version: i64,
    /// Who made it.
    pub created_by: Option<String>,
    /// When, RFC 3339.
    pub created_at: Option<String>,
    /// How many events wait to arrive.
    pub waiting: i64,
    /// How many did not arrive, and are not tried any more.
    pub dead: i64,
    /// What went wrong last with those.
    pub last_error: Option<String>,
}

/// An event on its way.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// Its id.
    pub id: String,
    /// Whom it is for.
    pub subscriber_id: String,
    /// What that one is called.
    pub subscriber: String,
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// `pre` or `post`.
    pub event: &'static str,
    /// `waiting`, `delivered` or `dead`.
    pub status: &'static str,
    /// How often it was tried.
    pub attempts: i64,
    /// When it is tried next, RFC 3339.
    pub next_at: Option<String>,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// When the event was, RFC 3339.
    pub created_at: String,
    /// When it arrived, RFC 3339.
    pub delivered_at: Option<String>,
}

/// What a test event came to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TestedSubscriber {
    /// Whether it was heard.
    pub ok: bool,
    /// The status that was answered.
    pub status: Option<u16>,
    /// What went wrong.
    pub error: Option<String>,
}

impl SubscriberView {
    /// A callback of the embedding program, with nothing on its way.
    pub(super) fn callback(one: &dyn Callback) -> Self {
        Self {
            id: callback::key(one),
            kind: "callback",
            name: one.name().to_owned(),
            url: None,
            tools: one.tools().to_vec(),
            pre: one.pre().name(),
            post: one.post(),
            timeout_ms: None,
            enabled: true,
            version: 0,
            created_by: None,
            created_at: None,
            waiting: 0,
            dead: 0,
            last_error: None,
        }
    }

    /// A webhook, with nothing on its way, and the name of who made it.
    pub(super) fn webhook(row: SubscriberRow, created_by: Option<String>) -> Self {
        Self {
            id: row.id.to_string(),
            kind: "webhook",
            name: row.name,
            url: Some(row.url),
            tools: row.tools,
            pre: row.pre.name(),
            post: row.post,
            timeout_ms: Some(row.timeout_ms),
            enabled: row.enabled,
            version: row.version,
            created_by,
            created_at: Some(time(row.created_at)),
            waiting: 0,
            dead: 0,
            last_error: None,
        }
    }
}

impl DeliveryView {
    /// An event on its way to a subscriber of that name.
    pub(super) fn new(row: DeliveryRow, subscriber: String) -> Self {
        let is_waiting = row.status == DeliveryStatus::Waiting;
        Self {
            id: row.id.to_string(),
            subscriber,
            subscriber_id: row.subscriber,
            call_id: row.call.to_string(),
            tool: row.tool,
            event: row.moment.name(),
            status: row.status.name(),
            attempts: row.attempts,
            next_at: is_waiting.then(|| time(row.next_at)),
            error: row.error,
            created_at: time(row.created_at),
            delivered_at: row.delivered_at.map(time),
        }
    }
}
