//! What clients read of conversations, calls and approvals.

use serde_json::Value;
use toolcrib::id::{CallId, ConversationId, UserId};
use toolcrib_counter::Principal;
use toolcrib_data::StoreError;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::approvals::ApprovalRow;
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::platform::conversations;
use toolcrib_data::platform::runs::{self, RunState};

use super::around::Around;
use super::state::LoadedRun;
use crate::stream::StreamReader;
use crate::view::call::CallStory;
use crate::view::conversation::{ConversationView, UiMessage};
use crate::{ApprovalView, CallView, Runtime};

impl Runtime {
    /// The approvals of a run, as `reader` may see them.
    pub(crate) async fn approval_views(
        &self,
        run: &LoadedRun,
        reader: UserId,
    ) -> Result<Vec<ApprovalView>, StoreError> {
        let pairs: Vec<(ApprovalRow, CallRow)> = run
            .calls()
            .filter_map(|call| Some((call.approval.clone()?, call.row.clone())))
            .collect();
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let mut snapshot = self.store().snapshot().await?;
        let mut around = Around::new(run.row.org);
        let mut views = Vec::new();
        for (approval, call) in pairs {
            views.push(around.view(&mut snapshot, &approval, &call, reader).await?);
        }
        Ok(views)
    }

    /// A call as its asker sees it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn call_view(&self, row: &CallRow) -> Result<CallView, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        Around::new(row.org)
            .call(&mut snapshot, row, row.asker)
            .await
    }

    /// A call that `reader` has decided: as it is to who asked; to others only how it stands, since
    /// what it holds was not theirs to ask for.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn decided_call_view(
        &self,
        reader: &Principal,
        row: &CallRow,
        approval: ApprovalView,
    ) -> Result<CallView, StoreError> {
        let mut view = self.call_view(row).await?;
        if row.asker != reader.user {
            let shown = |key: &str| approval.card.get(key).cloned();
            view.title = match shown("title") {
                Some(Value::String(title)) => title,
                _ => String::new(),
            };
            view.arguments = shown("arguments");
            view.output = None;
            view.error = None;
            view.title_done = None;
            view.trial = None;
            view.hooks = Vec::new();
            view.approval = Some(approval);
        }
        Ok(view)
    }

    /// A user's call with its whole story.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn call_story(
        &self,
        principal: &Principal,
        id: CallId,
    ) -> Result<Option<CallStory>, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let row = calls::get(&mut snapshot, principal.org, id).await?;
        let Some(row) = row.filter(|row| row.asker == principal.user) else {
            return Ok(None);
        };
        let mut around = Around::new(principal.org);
        let story = around.story(&mut snapshot, &row, principal.user).await?;
        Ok(Some(story))
    }

    /// A user's calls, newest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn calls(
        &self,
        principal: &Principal,
        mut filter: CallFilter,
        page: &Page,
    ) -> Result<Vec<CallView>, StoreError> {
        filter.asker = Some(principal.user);
        let mut snapshot = self.store().snapshot().await?;
        let mut around = Around::new(principal.org);
        let mut views = Vec::new();
        for row in calls::list(&mut snapshot, principal.org, &filter, page).await? {
            views.push(around.call(&mut snapshot, &row, principal.user).await?);
        }
        Ok(views)
    }

    /// A user's conversations; with each where the next page would begin after it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn conversations(
        &self,
        principal: &Principal,
        page: &Page,
    ) -> Result<Vec<(ConversationView, String)>, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let rows = conversations::list(&mut snapshot, principal.org, principal.user, page).await?;
        Ok(rows
            .iter()
            .map(|row| (ConversationView::new(row), row.cursor()))
            .collect())
    }

    /// A user's conversation, whole.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn conversation(
        &self,
        principal: &Principal,
        id: ConversationId,
    ) -> Result<Option<(ConversationView, Vec<UiMessage>, Vec<ApprovalView>)>, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let row = conversations::get(&mut snapshot, principal.org, id, principal.user).await?;
        let Some(row) = row else { return Ok(None) };
        let mut entries: Vec<(i64, UiMessage)> =
            conversations::messages(&mut snapshot, principal.org, id)
                .await?
                .iter()
                .map(|message| (message.seq, UiMessage::user(message)))
                .collect();
        let mut approvals = Vec::new();
        for run in runs::of_conversation(&mut snapshot, principal.org, id).await? {
            let loaded = LoadedRun::load(&mut snapshot, run).await?;
            let views = self.approval_views(&loaded, principal.user).await?;
            entries.push((loaded.row.seq, UiMessage::assistant(&loaded, &views)));
            approvals.extend(views);
        }
        entries.sort_by_key(|(seq, _)| *seq);
        Ok(Some((
            ConversationView::new(&row),
            entries.into_iter().map(|(_, message)| message).collect(),
            approvals,
        )))
    }

    /// The stream of the run that is under way in a user's conversation, told from its beginning.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn open_stream(
        &self,
        principal: &Principal,
        id: ConversationId,
    ) -> Result<Option<StreamReader>, StoreError> {
        let Some(run) = self.active_run(principal, id).await? else {
            return Ok(None);
        };
        let reader = self.hub().join(run);
        // It may have ended between the look and the joining: then nobody would tell.
        if self.active_run(principal, id).await? != Some(run) {
            self.hub().forget_untold(run);
            return Ok(None);
        }
        let mut snapshot = self.store().snapshot().await?;
        let standing = runs::standing(&mut snapshot, principal.org, run).await?;
        if standing.is_none_or(|standing| standing.owner.as_deref() != Some(self.name())) {
            self.follow(principal.org, run);
        }
        Ok(Some(reader))
    }

    async fn active_run(
        &self,
        principal: &Principal,
        id: ConversationId,
    ) -> Result<Option<toolcrib::id::RunId>, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        if conversations::get(&mut snapshot, principal.org, id, principal.user)
            .await?
            .is_none()
        {
            return Ok(None);
        }
        let runs = runs::of_conversation(&mut snapshot, principal.org, id).await?;
        Ok(runs
            .last()
            .filter(|run| run.state == RunState::Active)
            .map(|run| run.id))
    }
}
