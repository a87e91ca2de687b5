use std::collections::HashMap;

use toolcrib::id::{ConversationId, OrgId, UserId};
use toolcrib_counter::{Principal, is_decider, may_grant};
use toolcrib_data::platform::approvals::{self, ApprovalRow};
use toolcrib_data::platform::calls::{self, CallRow};
use toolcrib_data::platform::conversations::{self, ConversationRow};
use toolcrib_data::platform::{people, withheld};
use toolcrib_data::{ReadFrom, StoreError};

use crate::view::approval::ApprovalAround;
use crate::view::call::{CallStory, WithheldView};
use crate::{ApprovalView, CallEventView, CallView, ConversationRef, Person};

/// Looks up what views take from other rows, each thing once.
pub(crate) struct Around {
    org: OrgId,
    people: HashMap<UserId, Person>,
    readers: HashMap<UserId, Option<Principal>>,
    conversations: HashMap<ConversationId, Option<ConversationRef>>,
}

impl Around {
    pub(crate) fn new(org: OrgId) -> Self {
        Self {
            org,
            people: HashMap::new(),
            readers: HashMap::new(),
            conversations: HashMap::new(),
        }
    }

    pub(crate) async fn person(
        &mut self,
        from: &mut impl ReadFrom,
        id: UserId,
    ) -> Result<Person, StoreError> {
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

    /// Whether a reader is one who decides an approval.
    async fn decides(
        &mut self,
        from: &mut impl ReadFrom,
        approval: &ApprovalRow,
        reader: UserId,
    ) -> Result<bool, StoreError> {
        if !self.readers.contains_key(&reader) {
            let user = people::user(from, self.org, reader).await?;
            let reader_as = user.map(|user| Principal::new(user, None));
            self.readers.insert(reader, reader_as);
        }
        let known = self.readers.get(&reader).and_then(Option::as_ref);
        Ok(known.is_some_and(|reader| is_decider(reader, approval).is_ok()))
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

    pub(crate) async fn view(
        &mut self,
        from: &mut impl ReadFrom,
        approval: &ApprovalRow,
        call: &CallRow,
        reader: UserId,
    ) -> Result<ApprovalView, StoreError> {
        let around = ApprovalAround {
            tool: call.tool.clone(),
            decides: self.decides(from, approval, reader).await?,
            grants: may_grant(reader, approval, call).is_ok(),
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
        Ok(ApprovalView::new(approval, around))
    }

    /// A call as `reader` may see what is around it.
    pub(crate) async fn call(
        &mut self,
        from: &mut impl ReadFrom,
        row: &CallRow,
        reader: UserId,
    ) -> Result<CallView, StoreError> {
        let approval = match approvals::of_call(from, row.org, row.id).await? {
            Some(approval) => Some(self.view(from, &approval, row, reader).await?),
            None => None,
        };
        Ok(CallView::new(
            row,
            self.person(from, row.asker).await?,
            approval,
        ))
    }

    /// A call with its whole story.
    pub(crate) async fn story(
        &mut self,
        from: &mut impl ReadFrom,
        row: &CallRow,
        reader: UserId,
    ) -> Result<CallStory, StoreError> {
        let call = self.call(from, row, reader).await?;
        let mut events = Vec::new();
        for event in calls::events(from, row.org, row.id).await? {
            let by = match event.by {
                Some(by) => Some(self.person(from, by).await?.name),
                None => None,
            };
            events.push(CallEventView::new(&event, by));
        }
        let withheld = withheld::of_call(from, row.org, row.id).await?;
        Ok(CallStory {
            call,
            events,
            withheld: withheld.iter().map(WithheldView::new).collect(),
        })
    }
}
