//! What clients read of conversations, calls and approvals.

use std::collections::HashMap;

use toolcrib::id::{ApprovalId, CallId, ConversationId, OrgId, UserId};
use toolcrib_counter::Principal;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::approvals::{self, ApprovalFilter, ApprovalRow};
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::platform::conversations::{self, ConversationRow};
use toolcrib_data::platform::people;
use toolcrib_data::platform::runs::{self, RunState};
use toolcrib_data::platform::withheld;
use toolcrib_data::{ReadFrom, StoreError};

use super::state::LoadedRun;
use crate::stream::StreamReader;
use crate::view::approval::ApprovalAround;
use crate::view::call::{CallStory, WithheldView};
use crate::view::conversation::{ConversationView, UiMessage};
use crate::{ApprovalView, CallEventView, CallView, ConversationRef, Person, Runtime};

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
        let Some(row) = row.filter(|row| row.asker == principal.user) else {
            return Ok(None);
        };
        let Some(call) = calls::get(&mut snapshot, principal.org, row.call).await? else {
            return Ok(None);
        };
        Ok(Some(
            Around::new(principal.org)
                .view(&mut snapshot, &row, &call, principal.user)
                .await?,
        ))
    }

    /// A user's approvals, newest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn approvals(
        &self,
        principal: &Principal,
        mut filter: ApprovalFilter,
        page: &Page,
    ) -> Result<Vec<ApprovalView>, StoreError> {
        filter.asker = Some(principal.user);
        let mut snapshot = self.store().snapshot().await?;
        let rows = approvals::list(&mut snapshot, principal.org, &filter, page).await?;
        let mut around = Around::new(principal.org);
        let mut views = Vec::new();
        for row in rows {
            if let Some(call) = calls::get(&mut snapshot, principal.org, row.call).await? {
                views.push(
                    around
                        .view(&mut snapshot, &row, &call, principal.user)
                        .await?,
                );
            }
        }
        Ok(views)
    }

    /// A call as its asker sees it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn call_view(&self, row: &CallRow) -> Result<CallView, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        Around::new(row.org).call(&mut snapshot, row).await
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
        let view = around.call(&mut snapshot, &row).await?;
        let mut events = Vec::new();
        for event in calls::events(&mut snapshot, principal.org, id).await? {
            let by = match event.by {
                Some(by) => Some(around.person(&mut snapshot, by).await?.name),
                None => None,
            };
            events.push(CallEventView::new(&event, by));
        }
        let withheld = withheld::of_call(&mut snapshot, principal.org, id).await?;
        Ok(Some(CallStory {
            call: view,
            events,
            withheld: withheld.iter().map(WithheldView::new).collect(),
        }))
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
            views.push(around.call(&mut snapshot, &row).await?);
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

/// Looks up what views take from other rows, each thing once.
struct Around {
    org: OrgId,
    people: HashMap<UserId, Person>,
    conversations: HashMap<ConversationId, Option<ConversationRef>>,
}

impl Around {
    fn new(org: OrgId) -> Self {
        Self {
            org,
            people: HashMap::new(),
            conversations: HashMap::new(),
        }
    }

    async fn person(&mut self, from: &mut impl ReadFrom, id: UserId) -> Result<Person, StoreError> {
        if let Some(person) = self.people.get(&id) {
            return Ok(person.clone());
        }
        let user = people::user(from, self.org, id).await?;
        let person = Person {
            id: id.to_string(),
            name: user.map(|user| user.name).unwrap_or_default(),
        };
        self.people.insert(id, person.clone());
        Ok(person)
    }

    async fn conversation(
        &mut self,
        from: &mut impl ReadFrom,
        id: ConversationId,
        reader: UserId,
    ) -> Result<Option<ConversationRef>, StoreError> {
        if let Some(known) = self.conversations.get(&id) {
            return Ok(known.clone());
        }
        let row: Option<ConversationRow> = conversations::get(from, self.org, id, reader).await?;
        let found = row.map(|row| ConversationRef {
            id: row.id.to_string(),
            title: row.title,
        });
        self.conversations.insert(id, found.clone());
        Ok(found)
    }

    async fn view(
        &mut self,
        from: &mut impl ReadFrom,
        approval: &ApprovalRow,
        call: &CallRow,
        reader: UserId,
    ) -> Result<ApprovalView, StoreError> {
        let around = ApprovalAround {
            tool: call.tool.clone(),
            agent: call.agent.clone(),
            asker: self.person(from, approval.asker).await?,
            decider: match approval.decider {
                Some(decider) => Some(self.person(from, decider).await?),
                None => None,
            },
            conversation: match approval.conversation {
                Some(id) => self.conversation(from, id, reader).await?,
                None => None,
            },
        };
        Ok(ApprovalView::new(approval, around, reader))
    }

    async fn call(
        &mut self,
        from: &mut impl ReadFrom,
        row: &CallRow,
    ) -> Result<CallView, StoreError> {
        let approval = match approvals::of_call(from, row.org, row.id).await? {
            Some(approval) => Some(self.view(from, &approval, row, row.asker).await?),
            None => None,
        };
        Ok(CallView::new(
            row,
            self.person(from, row.asker).await?,
            approval,
        ))
    }
}
