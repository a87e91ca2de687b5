//! Approvals as their readers see them: who asked, and who may be asked to decide.

use serde_json::Value;
use toolcrib::id::ApprovalId;
use toolcrib_counter::{Card, Principal, WITHHELD, may_see};
use toolcrib_data::StoreError;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::approvals::{self, ApprovalFilter, ApprovalRow};
use toolcrib_data::platform::calls::{self, CallRow};

use crate::run::around::Around;
use crate::{ApprovalView, Runtime};

impl Runtime {
    /// One approval, if it is this user's to see.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn approval(
        &self,
        principal: &Principal,
        id: ApprovalId,
    ) -> Result<Option<ApprovalView>, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let row = approvals::get(&mut snapshot, principal.org, id).await?;
        let Some(row) = row.filter(|row| may_see(principal, row)) else {
            return Ok(None);
        };
        let Some(call) = calls::get(&mut snapshot, principal.org, row.call).await? else {
            return Ok(None);
        };
        drop(snapshot);
        let mut around = Around::new(principal.org);
        let view = self.viewed_by(principal, &mut around, &row, &call);
        Ok(Some(view.await?))
    }

    /// The approvals that are this user's to see, newest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn approvals(
        &self,
        principal: &Principal,
        mut filter: ApprovalFilter,
        page: &Page,
    ) -> Result<Vec<ApprovalView>, StoreError> {
        filter.reader = Some((principal.user, principal.roles.clone()));
        let mut snapshot = self.store().snapshot().await?;
        let rows = approvals::list(&mut snapshot, principal.org, &filter, page).await?;
        let mut found = Vec::new();
        for row in rows {
            let call = calls::get(&mut snapshot, principal.org, row.call).await?;
            found.extend(call.map(|call| (row, call)));
        }
        drop(snapshot);
        let mut around = Around::new(principal.org);
        let mut views = Vec::new();
        for (row, call) in found {
            let view = self.viewed_by(principal, &mut around, &row, &call);
            views.push(view.await?);
        }
        Ok(views)
    }

    /// An approval through the rights of its asker, and of who reads it.
    async fn viewed_by(
        &self,
        reader: &Principal,
        around: &mut Around,
        row: &ApprovalRow,
        call: &CallRow,
    ) -> Result<ApprovalView, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let mut view = around.view(&mut snapshot, row, call, reader.user).await?;
        drop(snapshot);
        if row.asker == reader.user {
            return Ok(view);
        }
        // A tool that touches no records shows what it was asked with to whoever decides; of any
        // other, what can't be told to be the reader's is withheld.
        let kind = call.found.as_ref().map(|found| found.kind.as_str());
        if kind != Some("system") {
            let card = serde_json::from_value::<Card>(view.card.take());
            let model = self.counter().model_of(call);
            view.card = match (card, model) {
                (Ok(card), Some(model)) => {
                    let card = self.records().card_for(self.store(), reader, &model, card);
                    serde_json::to_value(card.await?).unwrap_or_default()
                }
                _ => Value::from(WITHHELD),
            };
            // They are told of as what runs, or not at all.
            view.arguments_before = view.arguments_before.map(|_| WITHHELD.into());
        }
        Ok(view)
    }
}
