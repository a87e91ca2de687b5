//! Events on their way, as administrators look after them.

use toolcrib::id::DeliveryId;
use toolcrib_counter::Principal;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::deliveries::{self, DeliveryFilter, DeliveryRow, DeliveryStatus};

use super::callback;
use super::manage::{EventError, check_admin};
use super::view::DeliveryView;
use crate::Runtime;

impl Runtime {
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

    fn delivery_view(&self, row: DeliveryRow) -> DeliveryView {
        let name = match self.book().find(&row.subscriber) {
            Some(subscriber) => subscriber.name().to_owned(),
            None => {
                let name = callback::named(&row.subscriber);
                name.unwrap_or(&row.subscriber).to_owned()
            }
        };
        DeliveryView::new(row, name)
    }
}
