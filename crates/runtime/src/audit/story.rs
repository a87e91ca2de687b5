use serde::Serialize;
use serde_json::Value;
use toolcrib::id::CallId;
use toolcrib_counter::Principal;
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::platform::people::{self, CredentialKind};
use toolcrib_data::platform::{Page, audit, grants};
use toolcrib_data::records::{Audience, Form, MARKER, Recipient, Tags};
use utoipa::ToSchema;

use super::{AuditError, check_auditor};
use crate::run::around::Around;
use crate::{CallStory, CallView, Runtime};

/// A call with its whole story, as an administrator reads it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditStory {
    /// The call and its story.
    #[serde(flatten)]
    pub story: CallStory,
    /// Whether what it was asked with and what it answered was erased.
    pub erased: bool,
    /// The decision for later calls that covered it, so that nobody was asked.
    pub grant_id: Option<String>,
    /// What its asker came in with, `session` or `token`; none for work that went on alone.
    pub credential: Option<String>,
}

/// A person, to filter by.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuditPerson {
    /// The user's id.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The address.
    pub email: String,
}

impl Runtime {
    /// The calls of everybody, newest first, without the values of sensitive fields.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn audit_calls(
        &self,
        principal: &Principal,
        filter: &CallFilter,
        page: &Page,
    ) -> Result<Vec<CallView>, AuditError> {
        check_auditor(principal)?;
        let workspace = self.workspace();
        let auditor = workspace.recipient(Audience::Auditor);
        let mut snapshot = self.store().snapshot().await?;
        let mut around = Around::new(principal.org);
        let mut views = Vec::new();
        for row in calls::list(&mut snapshot, principal.org, filter, page).await? {
            let view = around.call(&mut snapshot, &row, principal.user).await?;
            views.push(masked(view, &row, &auditor));
        }
        Ok(views)
    }

    /// Anybody's call with its whole story, without the values of sensitive fields.
    ///
    /// # Errors
    /// When the user is no administrator, there is no such call, or storage fails.
    pub async fn audit_story(
        &self,
        principal: &Principal,
        id: CallId,
    ) -> Result<AuditStory, AuditError> {
        check_auditor(principal)?;
        let workspace = self.workspace();
        let auditor = workspace.recipient(Audience::Auditor);
        let org = principal.org;
        let mut snapshot = self.store().snapshot().await?;
        let row = calls::get(&mut snapshot, org, id).await?;
        let row = row.ok_or(AuditError::NotFound)?;
        let mut around = Around::new(org);
        let mut story = around.story(&mut snapshot, &row, principal.user).await?;
        story.call = masked(story.call, &row, &auditor);
        if story.call.error != row.error {
            // A transition tells the same error again.
            let telling = story.events.iter_mut();
            for event in telling.filter(|event| event.reason == row.error) {
                event.reason.clone_from(&story.call.error);
            }
        }
        let credential = match row.credential {
            Some(credential) => people::credential(&mut snapshot, org, credential).await?,
            None => None,
        };
        Ok(AuditStory {
            story,
            erased: audit::is_erased(&mut snapshot, org, id).await?,
            grant_id: grants::used_by(&mut snapshot, org, id)
                .await?
                .map(|id| id.to_string()),
            credential: credential.map(|row| {
                match row.kind {
                    CredentialKind::Session => "session",
                    CredentialKind::Token => "token",
                }
                .to_owned()
            }),
        })
    }

    /// The people whose calls there may be.
    ///
    /// # Errors
    /// When the user is no administrator, or storage fails.
    pub async fn audit_people(
        &self,
        principal: &Principal,
    ) -> Result<Vec<AuditPerson>, AuditError> {
        check_auditor(principal)?;
        let users = people::users(&mut self.store().snapshot().await?, principal.org).await?;
        Ok(users
            .into_iter()
            .map(|user| AuditPerson {
                id: user.id.to_string(),
                name: user.name,
                email: user.email,
            })
            .collect())
    }
}

/// A call without the values of sensitive fields. What quotes a value of one that the call named
/// goes with it; what can't be taken apart goes whole.
fn masked(mut view: CallView, row: &CallRow, auditor: &Recipient<'_>) -> CallView {
    if auditor.receives_all() {
        return view;
    }
    let mut names_some = false;
    let mut take_out = |value: Option<Value>| {
        let (value, found) = auditor.without_sensitive(value?);
        names_some |= found;
        Some(value)
    };
    view.arguments = take_out(view.arguments);
    view.trial = take_out(view.trial);
    if let Some(approval) = &mut view.approval {
        approval.card = take_out(Some(approval.card.take())).unwrap_or_default();
    }
    let is_record = row
        .found
        .as_ref()
        .is_some_and(|found| found.kind == "record");
    if is_record && let Some(output) = view.output.take() {
        let tags = row.tags.as_deref();
        let tags: Option<Tags> = tags.and_then(|tags| serde_json::from_str(tags).ok());
        let form = match row.handle {
            Some(_) => Form::Preview,
            None => Form::Whole,
        };
        view.output = Some(auditor.output(output, tags.as_ref(), form).0);
    }
    if names_some && view.error.is_some() {
        view.error = Some(MARKER.to_owned());
    }
    view
}
