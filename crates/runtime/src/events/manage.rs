//! Subscribers, as administrators look after them.

use std::collections::HashMap;

use toolcrib::id::{DeliveryId, SubscriberId};
use toolcrib_counter::Principal;
use toolcrib_data::StoreError;
use toolcrib_data::platform::deliveries::{self, DeliveryStatus};
use toolcrib_data::platform::people;
use toolcrib_data::platform::subscribers::{self, NotSaved, SubscriberRow};

use super::change::{SubscriberChange, fresh};
use super::payload::ToolEvent;
use super::view::{SubscriberView, TestedSubscriber};
use crate::Runtime;

const MOST_SUBSCRIBERS: usize = 100;

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

pub(super) fn check_admin(principal: &Principal) -> Result<(), EventError> {
    match principal.has_role("admin") {
        true => Ok(()),
        false => Err(EventError::NotAllowed),
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
        let callbacks = self.book().callbacks.iter();
        let callbacks = callbacks.map(|one| SubscriberView::callback(one.as_ref()));
        let webhooks = rows.into_iter().map(|row| {
            let by = row.created_by.and_then(|id| people.get(&id).cloned());
            SubscriberView::webhook(row, by)
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
        let fresh = fresh(principal.user, self.store().clock().micros());
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
}
