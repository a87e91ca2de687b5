use serde::Serialize;
use toolcrib::id::CallId;
use toolcrib_counter::Principal;
use toolcrib_data::platform::calls::{self, CallFilter, CallRow};
use toolcrib_data::platform::people::{self, CredentialKind};
use toolcrib_data::platform::{Page, audit, grants};
use toolcrib_data::records::{Audience, MARKER, Recipient};
use utoipa::ToSchema;

use super::masked::Masked;
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
        let wanted = usize::try_from(page.limit).unwrap_or(usize::MAX);
        let mut page = page.clone();
        loop {
            let rows = calls::list(&mut snapshot, principal.org, filter, &page).await?;
            let is_last = rows.len() < usize::try_from(page.limit).unwrap_or(usize::MAX);
            page.after = rows.last().map(|row| row.id.to_string());
            for row in rows {
                let reader = principal.user;
                let view = around.call(&mut snapshot, &row, reader).await?;
                let view = masked(view, &row, &auditor);
                if tells(&view, filter.text.as_deref()) {
                    views.push(view);
                }
            }
            if is_last || views.len() >= wanted {
                views.truncate(wanted);
                return Ok(views);
            }
        }
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
        let is_erased = audit::is_erased(&mut snapshot, org, id).await?;
        let mut around = Around::new(org);
        let mut story = around.story(&mut snapshot, &row, principal.user).await?;
        story.call = masked(story.call, &row, &auditor);
        let is_masked = story.call.error != row.error
            || story
                .call
                .approval
                .as_ref()
                .and_then(|approval| approval.reason.as_deref())
                == Some(MARKER);
        if is_masked {
            // Transitions tell the same again; why it was erased is nobody's value.
            let erased = story.events.len() - usize::from(is_erased);
            for event in story.events.iter_mut().take(erased) {
                event.reason = event.reason.take().map(|_| MARKER.to_owned());
            }
        }
        let credential = match row.credential {
            Some(credential) => people::credential(&mut snapshot, org, credential).await?,
            None => None,
        };
        Ok(AuditStory {
            story,
            erased: is_erased,
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

/// Whether the text that was looked for is in what is told, and not in what is withheld: else looking
/// for it would tell.
fn tells(view: &CallView, text: Option<&str>) -> bool {
    let Some(text) = text.map(str::to_lowercase) else {
        return true;
    };
    let reason = view
        .approval
        .as_ref()
        .and_then(|approval| approval.reason.as_ref());
    let told = [view.error.as_ref(), reason];
    let mut told = told.into_iter().flatten();
    told.any(|told| told.to_lowercase().contains(&text))
}

/// A call without the values of sensitive fields.
fn masked(mut view: CallView, row: &CallRow, auditor: &Recipient<'_>) -> CallView {
    if auditor.receives_all() {
        return view;
    }
    let masked = Masked::of(row, auditor);
    view.arguments = masked.arguments;
    view.output = masked.output;
    view.error = masked.error;
    for hook in &mut view.hooks {
        hook.error = hook.error.take().map(|_| MARKER.to_owned());
    }
    view.trial = view.trial.take().map(|trial| auditor.card(trial));
    if let Some(approval) = &mut view.approval {
        approval.card = auditor.card(approval.card.take());
        let before = approval.arguments_before.take();
        approval.arguments_before = before.map(|before| auditor.arguments(before).0);
        if masked.names_some && approval.reason.is_some() {
            approval.reason = Some(MARKER.to_owned());
        }
    }
    if masked.hides_names {
        MARKER.clone_into(&mut view.title);
    }
    view
}
