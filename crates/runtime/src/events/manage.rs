use std::collections::HashMap;
use std::ops::RangeInclusive;

use http::Uri;
use serde::Serialize;
use toolcrib::id::{DeliveryId, SubscriberId};
use toolcrib_counter::Principal;
use toolcrib_data::StoreError;
use toolcrib_data::platform::deliveries::{self, DeliveryFilter, DeliveryRow, DeliveryStatus};
use toolcrib_data::platform::subscribers::{self, NotSaved, PreMode, SubscriberRow};
use toolcrib_data::platform::{Page, people};
use utoipa::ToSchema;

use super::callback;
use super::payload::ToolEvent;
use crate::{Runtime, time};

const LONGEST_NAME: usize = 80;
const LONGEST_URL: usize = 2000;
const MOST_TOOLS: usize = 1000;
const MOST_SUBSCRIBERS: usize = 100;
/// How long a subscriber may take, in milliseconds.
const TIMEOUT: RangeInclusive<u32> = 100..=30_000;
const USUAL_TIMEOUT: u32 = 10_000;

/// Why something about subscribers was not done.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// The user is no administrator.
    #[error("only administrators look after the subscribers of events")]
    NotAllowed,
    /// There is no such subscriber or event.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// What was to be saved is not sound.
    #[error("{0}")]
    Unsound(String),
    /// Somebody else saved in between.
    #[error("the subscriber was changed by somebody else; look at it again")]
    Changed,
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

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

/// What is to be set of a webhook; what is unset stays, or is as usual.
#[derive(Clone, Debug, Default)]
pub struct SubscriberChange {
    /// What people call it.
    pub name: Option<String>,
    /// Where events are sent.
    pub url: Option<String>,
    /// The tools whose events it gets.
    pub tools: Option<Vec<String>>,
    /// What it has to do with events before calls.
    pub pre: Option<PreMode>,
    /// Whether it is told after calls.
    pub post: Option<bool>,
    /// How long it may take to answer, in milliseconds.
    pub timeout_ms: Option<u32>,
    /// Whether it gets anything.
    pub enabled: Option<bool>,
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

fn check_admin(principal: &Principal) -> Result<(), EventError> {
    match principal.has_role("admin") {
        true => Ok(()),
        false => Err(EventError::NotAllowed),
    }
}

/// The URL, if events can be sent there.
fn sound_url(url: &str) -> Result<(), String> {
    if url.is_empty() {
        return Err("the subscriber needs a url, such as https://ledger.example/hook".to_owned());
    }
    if url.len() > LONGEST_URL {
        return Err(format!("the url has at most {LONGEST_URL} characters"));
    }
    let parsed: Uri = url.parse().map_err(|_| {
        "the url is none: write it as https://ledger.example/hook, a host with other letters as xn--…"
            .to_owned()
    })?;
    let scheme = parsed.scheme_str().unwrap_or_default();
    let host = parsed.host().unwrap_or_default();
    if !matches!(scheme, "http" | "https") || host.is_empty() {
        return Err("the url begins with http:// or https:// and names a host".to_owned());
    }
    let authority = parsed.authority().map_or("", http::uri::Authority::as_str);
    if authority.contains('@') {
        return Err("the url holds no user name and no password".to_owned());
    }
    let port = authority.strip_prefix(host).unwrap_or_default();
    match port.is_empty() || parsed.port_u16().is_some_and(|port| port > 0) {
        true => Ok(()),
        false => Err("the port of the url is a number from 1 to 65535".to_owned()),
    }
}

impl SubscriberChange {
    fn on(self, row: SubscriberRow) -> Result<SubscriberRow, EventError> {
        let name = self.name.unwrap_or(row.name);
        let changed = SubscriberRow {
            name: name.trim().to_owned(),
            url: self.url.unwrap_or(row.url),
            tools: self.tools.unwrap_or(row.tools),
            pre: self.pre.unwrap_or(row.pre),
            post: self.post.unwrap_or(row.post),
            timeout_ms: self.timeout_ms.unwrap_or(row.timeout_ms),
            enabled: self.enabled.unwrap_or(row.enabled),
            ..row
        };
        check(&changed).map_err(EventError::Unsound)?;
        Ok(changed)
    }
}

fn check(row: &SubscriberRow) -> Result<(), String> {
    let length = row.name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err(format!("the name has 1 to {LONGEST_NAME} characters"));
    }
    if row.name.chars().any(char::is_control) {
        return Err("the name is one line of text".to_owned());
    }
    sound_url(&row.url)?;
    if row.tools.len() > MOST_TOOLS {
        return Err(format!("tools are names, at most {MOST_TOOLS}"));
    }
    match TIMEOUT.contains(&row.timeout_ms) {
        true => Ok(()),
        false => Err("the timeout (timeoutMs) is between 100 and 30000".to_owned()),
    }
}

impl Runtime {
    /// The subscribers, by name.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn subscribers(
        &self,
        principal: &Principal,
    ) -> Result<Vec<SubscriberView>, EventError> {
        check_admin(principal)?;
        let mut snapshot = self.store().snapshot().await?;
        let rows = subscribers::list(&mut snapshot, principal.org).await?;
        let people = people::users(&mut snapshot, principal.org).await?;
        let people: HashMap<_, _> = people
            .into_iter()
            .map(|user| (user.id, user.name))
            .collect();
        let counts = deliveries::counts(&mut snapshot, principal.org).await?;
        let callbacks = self.book().callbacks.iter().map(|one| SubscriberView {
            id: callback::key(one.as_ref()),
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
        });
        let webhooks = rows.into_iter().map(|row| {
            let by = row.created_by.and_then(|id| people.get(&id).cloned());
            webhook_view(row, by)
        });
        let mut views: Vec<SubscriberView> = webhooks.chain(callbacks).collect();
        for view in &mut views {
            for count in counts.iter().filter(|count| count.subscriber == view.id) {
                match count.status {
                    DeliveryStatus::Dead => view.dead = count.count,
                    DeliveryStatus::Waiting | DeliveryStatus::Delivered => {
                        view.waiting = count.count;
                    }
                }
                view.last_error = view.last_error.take().or_else(|| count.error.clone());
            }
        }
        Ok(views)
    }

    /// Makes a webhook; answers with it, and with the secret that signs what it gets.
    ///
    /// # Errors
    /// When the user is no administrator, what it says is not sound, or storage fails.
    pub async fn new_subscriber(
        &self,
        principal: &Principal,
        change: SubscriberChange,
    ) -> Result<(SubscriberView, String), EventError> {
        check_admin(principal)?;
        let known = subscribers::list(&mut self.store().snapshot().await?, principal.org).await?;
        if known.len() >= MOST_SUBSCRIBERS {
            let told = format!("there are {MOST_SUBSCRIBERS} subscribers, and can't be more");
            return Err(EventError::Unsound(told));
        }
        let fresh = SubscriberRow {
            id: SubscriberId::mint(),
            name: String::new(),
            url: String::new(),
            tools: Vec::new(),
            pre: PreMode::Off,
            post: false,
            timeout_ms: USUAL_TIMEOUT,
            enabled: true,
            key_version: 1,
            version: 0,
            created_by: Some(principal.user),
            created_at: self.store().clock().micros(),
        };
        self.know_tools(principal, &change)?;
        let row = self.save_subscriber(principal, &change.on(fresh)?).await?;
        let secret = self.book().secret(&row);
        Ok((self.viewed(principal, row).await?, secret))
    }

    /// Changes a webhook that stands at `version`.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such webhook, it is not at that version any more,
    /// what it would say is not sound, or storage fails.
    pub async fn change_subscriber(
        &self,
        principal: &Principal,
        (id, version): (SubscriberId, i64),
        change: SubscriberChange,
    ) -> Result<SubscriberView, EventError> {
        let row = self.webhook(principal, id).await?;
        if row.version != version {
            return Err(EventError::Changed);
        }
        self.know_tools(principal, &change)?;
        let row = self.save_subscriber(principal, &change.on(row)?).await?;
        self.viewed(principal, row).await
    }

    /// Deletes a webhook, with what is on its way to it.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such webhook, or storage fails.
    pub async fn delete_subscriber(
        &self,
        principal: &Principal,
        id: SubscriberId,
    ) -> Result<(), EventError> {
        check_admin(principal)?;
        let mut unit = self.store().unit().await?;
        if !subscribers::delete(&mut unit, principal.org, id).await? {
            return Err(EventError::NotFound("subscriber"));
        }
        unit.commit().await?;
        let by = principal.user;
        tracing::info!(subscriber = %id, %by, "a subscriber of events was deleted");
        Ok(self.book().load(self.store(), principal.org).await?)
    }

    /// Makes the key of a webhook anew; the one before signs nothing any more.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such webhook, or storage fails.
    pub async fn renew_subscriber(
        &self,
        principal: &Principal,
        id: SubscriberId,
    ) -> Result<String, EventError> {
        let row = self.webhook(principal, id).await?;
        let renewed = SubscriberRow {
            key_version: row.key_version + 1,
            ..row
        };
        let row = self.save_subscriber(principal, &renewed).await?;
        Ok(self.book().secret(&row))
    }

    /// Sends a webhook an event of no call.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such webhook, or storage fails.
    pub async fn test_subscriber(
        &self,
        principal: &Principal,
        id: SubscriberId,
    ) -> Result<TestedSubscriber, EventError> {
        let row = self.webhook(principal, id).await?;
        let event = ToolEvent::test(self.store().clock().micros());
        let id = DeliveryId::mint().to_string();
        Ok(match self.book().post(&row, &id, &event).await {
            Err(error) => TestedSubscriber {
                ok: false,
                status: None,
                error: Some(error),
            },
            Ok(answered) => TestedSubscriber {
                ok: answered.heard().is_ok(),
                status: Some(answered.status.as_u16()),
                error: answered.heard().err(),
            },
        })
    }

    /// Events on their way, newest first.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn deliveries(
        &self,
        principal: &Principal,
        filter: &DeliveryFilter,
        page: &Page,
    ) -> Result<Vec<DeliveryView>, EventError> {
        check_admin(principal)?;
        let mut snapshot = self.store().snapshot().await?;
        let rows = deliveries::list(&mut snapshot, principal.org, filter, page).await?;
        Ok(rows
            .into_iter()
            .map(|row| self.delivery_view(row))
            .collect())
    }

    /// Tries a dead event again.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such dead event, or storage fails.
    pub async fn retry_delivery(
        &self,
        principal: &Principal,
        id: DeliveryId,
    ) -> Result<DeliveryView, EventError> {
        check_admin(principal)?;
        let mut unit = self.store().unit().await?;
        let row = deliveries::get(&mut unit, principal.org, id).await?;
        let row = row.filter(|row| row.status == DeliveryStatus::Dead);
        let before = row.ok_or(EventError::NotFound("event that is not tried any more"))?;
        let after = DeliveryRow {
            status: DeliveryStatus::Waiting,
            attempts: 0,
            next_at: self.store().clock().micros(),
            ..before.clone()
        };
        deliveries::settle(&mut unit, principal.org, &before, &after).await?;
        unit.commit().await?;
        self.book().wake.notify_one();
        Ok(self.delivery_view(after))
    }

    /// Tries all dead events again, or those of a subscriber; answers with how many.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn retry_deliveries(
        &self,
        principal: &Principal,
        subscriber: Option<&str>,
    ) -> Result<u64, EventError> {
        check_admin(principal)?;
        let now = self.store().clock().micros();
        let mut unit = self.store().unit().await?;
        let revived = deliveries::revive(&mut unit, principal.org, subscriber, now).await?;
        unit.commit().await?;
        self.book().wake.notify_one();
        Ok(revived)
    }

    /// Forgets a dead event.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such dead event, or storage fails.
    pub async fn forget_delivery(
        &self,
        principal: &Principal,
        id: DeliveryId,
    ) -> Result<(), EventError> {
        check_admin(principal)?;
        let mut unit = self.store().unit().await?;
        if !deliveries::forget(&mut unit, principal.org, id).await? {
            return Err(EventError::NotFound("event that is not tried any more"));
        }
        Ok(unit.commit().await?)
    }

    /// A name that no tool has guards nothing.
    fn know_tools(
        &self,
        principal: &Principal,
        change: &SubscriberChange,
    ) -> Result<(), EventError> {
        let wanted = change.tools.iter().flatten();
        let tools = self.counter().registry().visible(principal);
        let names: Vec<&str> = tools.iter().map(|tool| tool.row.name.as_str()).collect();
        match wanted
            .into_iter()
            .find(|name| !names.contains(&name.as_str()))
        {
            None => Ok(()),
            Some(name) => {
                let near = toolcrib::nearest(name, names.iter().copied(), 3);
                let name: String = name.chars().take(80).collect();
                let hint = match near.is_empty() {
                    true => String::new(),
                    false => format!(", did you mean {}?", near.join(" or ")),
                };
                let told = format!("there is no tool {name:?}{hint}");
                Err(EventError::Unsound(told))
            }
        }
    }

    async fn webhook(
        &self,
        principal: &Principal,
        id: SubscriberId,
    ) -> Result<SubscriberRow, EventError> {
        check_admin(principal)?;
        let mut snapshot = self.store().snapshot().await?;
        let row = subscribers::get(&mut snapshot, principal.org, id).await?;
        row.ok_or(EventError::NotFound("subscriber"))
    }

    async fn save_subscriber(
        &self,
        principal: &Principal,
        row: &SubscriberRow,
    ) -> Result<SubscriberRow, EventError> {
        let mut unit = self.store().unit().await?;
        let saved = match subscribers::save(&mut unit, principal.org, row).await? {
            Ok(saved) => saved,
            Err(NotSaved::Changed) => return Err(EventError::Changed),
            Err(NotSaved::NameTaken) => {
                let told = format!("there is a subscriber named {} already", row.name);
                return Err(EventError::Unsound(told));
            }
        };
        unit.commit().await?;
        let SubscriberRow {
            id,
            name,
            pre,
            enabled,
            version,
            ..
        } = &saved;
        let (by, pre) = (principal.user, pre.name());
        tracing::info!(subscriber = %id, name, pre, enabled, version, %by, "a subscriber of events was saved");
        self.book().load(self.store(), principal.org).await?;
        self.book().wake.notify_one();
        Ok(saved)
    }

    async fn viewed(
        &self,
        principal: &Principal,
        row: SubscriberRow,
    ) -> Result<SubscriberView, EventError> {
        let id = row.id.to_string();
        let views = self.subscribers(principal).await?;
        let view = views.into_iter().find(|view| view.id == id);
        view.ok_or(EventError::NotFound("subscriber"))
    }

    fn delivery_view(&self, row: DeliveryRow) -> DeliveryView {
        let subscriber = self.book().find(&row.subscriber);
        let is_waiting = row.status == DeliveryStatus::Waiting;
        DeliveryView {
            id: row.id.to_string(),
            subscriber: subscriber.map_or_else(
                || {
                    let name = callback::named(&row.subscriber);
                    name.unwrap_or(&row.subscriber).to_owned()
                },
                |one| one.name().to_owned(),
            ),
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

fn webhook_view(row: SubscriberRow, created_by: Option<String>) -> SubscriberView {
    SubscriberView {
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
