//! A message of the user begins a run; a stop or the next message ends the one before.

use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcrib::agent::step::Closing;
use toolcrib::id::{ApprovalId, ConversationId, OrgId, RunId};
use toolcrib::state::CallState;
use toolcrib_counter::{CallMode, DecideError, Decision, GrantKind, Principal, may_see};
use toolcrib_data::platform::approvals::{self, ApprovalRow};
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::conversations::{self, ConversationRow, MessageRow};
use toolcrib_data::platform::runs::{self, RunRow, RunState};
use toolcrib_data::{Notice, StoreError, Unit};

use crate::stream::StreamReader;
use crate::usage::Asked;
use crate::{Runtime, RuntimeError};

/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 200_000;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 60;

/// A message to an agent.
#[derive(Clone, Debug)]
pub struct ChatMessage {
    /// The conversation; made if it is new.
    pub conversation: ConversationId,
    /// The message, as the client names it.
    pub id: String,
    /// The text.
    pub text: String,
    /// Whether a conversation that is new is a trial. What an earlier one is, it stays.
    pub mode: CallMode,
}

/// A run that was begun, or joined.
#[derive(Debug)]
pub struct Started {
    /// The stream of the run.
    pub stream: Option<StreamReader>,
    /// The title of a conversation that is new.
    pub new_title: Option<String>,
}

/// Why no run was begun.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// There is no such agent.
    #[error("there is no agent named {0}")]
    UnknownAgent(String),
    /// The conversation is somebody else's, or held with another agent.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// No language model is configured.
    #[error("no language model is configured; add one in Settings, or run a tool by hand with /")]
    NoLanguageModel,
    /// A run is under way.
    #[error("the agent is still at work in this conversation; stop it first, or wait")]
    RunActive,
    /// The user has used what they may.
    #[error("{0}")]
    UsedUp(String),
    /// The message is empty or too long.
    #[error("{0}")]
    Message(&'static str),
    /// There is no failed run to take up again.
    #[error("there is no failed answer to try again")]
    NothingToRetry,
    /// Storage failed.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
}

impl From<StoreError> for ChatError {
    fn from(error: StoreError) -> Self {
        Self::Runtime(error.into())
    }
}

impl Runtime {
    /// Takes a message, and begins a run that answers it. A message that is known already joins.
    ///
    /// # Errors
    /// When no run can begin; nothing is stored then.
    pub async fn chat(
        &self,
        principal: &Principal,
        agent: &str,
        message: ChatMessage,
    ) -> Result<Started, ChatError> {
        if self.agent(agent).is_none() {
            return Err(ChatError::UnknownAgent(agent.chars().take(80).collect()));
        }
        if message.text.trim().is_empty() || message.id.is_empty() || message.id.len() > 200 {
            return Err(ChatError::Message("a message needs an id and some text"));
        }
        if message.text.chars().count() > LONGEST_MESSAGE {
            return Err(ChatError::Message(
                "the message is longer than 200,000 characters",
            ));
        }
        let id = message.conversation;
        let mut unit = self.store().unit().await?;
        let new_title = self
            .open_conversation(&mut unit, principal, agent, &message)
            .await?;
        if conversations::messages(&mut unit, principal.org, id)
            .await?
            .iter()
            .any(|known| known.id == message.id)
        {
            // It may have been stored by a neighbour in the same transaction.
            unit.commit().await.map_err(RuntimeError::from)?;
            return Ok(Started {
                stream: self.open_stream(principal, id).await?,
                new_title: None,
            });
        }
        if self.models().get(None).is_none() {
            return Err(ChatError::NoLanguageModel);
        }
        let asker = (principal.user, principal.roles.as_slice());
        let used_up = self.used_up(&mut unit, principal.org, asker, Asked::ByMessage);
        if let Some(why) = used_up.await? {
            return Err(ChatError::UsedUp(why));
        }
        self.supersede(&mut unit, principal.org, id).await?;
        let run = self.begin(&mut unit, principal, agent, &message).await?;
        unit.commit().await.map_err(RuntimeError::from)?;
        let stream = self.hub().join(run);
        self.drive(principal.org, run);
        Ok(Started {
            stream: Some(stream),
            new_title,
        })
    }

    /// Makes the conversation if it is new; answers with its title then.
    async fn open_conversation(
        &self,
        unit: &mut Unit,
        principal: &Principal,
        agent: &str,
        message: &ChatMessage,
    ) -> Result<Option<String>, ChatError> {
        let now = self.store().clock().micros();
        let row = ConversationRow {
            id: message.conversation,
            owner: principal.user,
            agent: agent.to_owned(),
            title: title(&message.text),
            trial: message.mode == CallMode::Trial,
            run_state: None,
            created_at: now,
            updated_at: now,
        };
        if conversations::insert(unit, principal.org, &row).await? {
            return Ok(Some(row.title));
        }
        conversations::lock(unit, principal.org, row.id).await?;
        let existing = conversations::get(unit, principal.org, row.id, principal.user).await?;
        match existing {
            // What is to be tried is never begun in a conversation whose calls are real.
            Some(existing) if existing.agent == agent && (existing.trial || !row.trial) => Ok(None),
            _ => Err(ChatError::UnknownConversation),
        }
    }

    /// The asker goes on instead of deciding: what waits ends as superseded.
    async fn supersede(
        &self,
        unit: &mut Unit,
        org: OrgId,
        id: ConversationId,
    ) -> Result<(), ChatError> {
        let open = runs::lock_open(unit, org, id).await?;
        let Some(run) = open else { return Ok(()) };
        if run.state == RunState::Active {
            return Err(ChatError::RunActive);
        }
        let finish = json!({"finish": "superseded"});
        self.end_run_in(unit, run, CallState::Superseded, RunState::Stopped, &finish)
            .await?;
        Ok(())
    }

    async fn begin(
        &self,
        unit: &mut Unit,
        principal: &Principal,
        agent: &str,
        message: &ChatMessage,
    ) -> Result<RunId, ChatError> {
        let (org, id, now) = (
            principal.org,
            message.conversation,
            self.store().clock().micros(),
        );
        let row = MessageRow {
            id: message.id.clone(),
            seq: conversations::next_seq(unit, org, id, now).await?,
            author: principal.user,
            text: message.text.clone(),
            created_at: now,
        };
        conversations::insert_message(unit, org, id, &row).await?;
        let run = RunRow {
            org,
            id: RunId::mint(),
            conversation: id,
            seq: conversations::next_seq(unit, org, id, now).await?,
            agent: agent.to_owned(),
            asker: principal.user,
            credential: principal
                .credential
                .as_ref()
                .map(|credential| credential.id),
            message_id: format!("answer-{}", RunId::mint()),
            state: RunState::Active,
            epoch: 0,
            stop_requested: false,
            finish: None,
            created_at: now,
        };
        if runs::insert(unit, &run).await? {
            Ok(run.id)
        } else {
            Err(ChatError::RunActive)
        }
    }

    /// Takes a failed run up again from its last good step; no tool call is repeated.
    ///
    /// # Errors
    /// When there is none.
    pub async fn retry(
        &self,
        principal: &Principal,
        agent: &str,
        id: ConversationId,
    ) -> Result<Started, ChatError> {
        let mut unit = self.store().unit().await?;
        let known = conversations::get(&mut unit, principal.org, id, principal.user).await?;
        if known.is_none_or(|known| known.agent != agent) {
            return Err(ChatError::UnknownConversation);
        }
        let last = runs::of_conversation(&mut unit, principal.org, id)
            .await?
            .pop();
        let run = last
            .filter(|run| run.state == RunState::Failed)
            .ok_or(ChatError::NothingToRetry)?;
        let now = self.store().clock().micros();
        if !runs::retry(&mut unit, principal.org, run.id, now).await? {
            return Err(ChatError::NothingToRetry);
        }
        unit.commit().await.map_err(RuntimeError::from)?;
        let stream = self.hub().join(run.id);
        self.drive(principal.org, run.id);
        Ok(Started {
            stream: Some(stream),
            new_title: None,
        })
    }

    /// Stops what is under way in a conversation. A run that waits ends at once.
    ///
    /// # Errors
    /// When storage fails; there is nothing to answer with when the conversation is unknown.
    pub async fn stop(
        &self,
        principal: &Principal,
        id: ConversationId,
    ) -> Result<Option<()>, RuntimeError> {
        let mut unit = self.store().unit().await?;
        if conversations::get(&mut unit, principal.org, id, principal.user)
            .await?
            .is_none()
        {
            return Ok(None);
        }
        let open = runs::lock_open(&mut unit, principal.org, id).await?;
        let Some(run) = open else { return Ok(Some(())) };
        let run_id = run.id;
        if run.state == RunState::Waiting {
            let finish = json!({"finish": "stopped"});
            self.end_run_in(
                &mut unit,
                run,
                CallState::Cancelled,
                RunState::Stopped,
                &finish,
            )
            .await?;
        } else {
            runs::request_stop(&mut unit, principal.org, run_id).await?;
            Notice::Stop { run: run_id }.give(&mut unit).await?;
        }
        unit.commit().await?;
        self.stops().stop(run_id);
        Ok(Some(()))
    }

    /// Writes a decision down, and lets what was decided go on: a run by itself, a call without
    /// one right here.
    ///
    /// # Errors
    /// When the decision does not count.
    pub async fn decide(
        &self,
        principal: &Principal,
        id: ApprovalId,
        decision: Decision,
    ) -> Result<(ApprovalRow, CallRow), DecideError> {
        let (approval, call) = self.counter().decide(principal, id, &decision).await?;
        if let Some(place) = call.place {
            self.drive(principal.org, place.run);
            return Ok((approval, call));
        }
        if call.state != CallState::Approved {
            return Ok((approval, call));
        }
        // It runs on behalf of who asked, whoever decided.
        let asker = match call.asker == principal.user {
            true => Some(principal.clone()),
            false => self.principal_of(call.org, call.asker).await?,
        };
        let Some(asker) = asker else {
            return Ok((approval, call));
        };
        let outcome = self
            .counter()
            .resume(&asker, call.id, None, CancellationToken::new())
            .await;
        match outcome {
            Ok(outcome) => Ok((approval, outcome.row)),
            Err(error) => {
                tracing::error!(call = %call.id, %error, "an approved call could not be run");
                Ok((approval, call))
            }
        }
    }

    /// Goes on with calls without a run that were approved but not run, or run and not ended, since the
    /// server or the request died in between. Only those that came so far before a moment: a younger one
    /// is most likely being worked on right now.
    pub(crate) async fn run_left_behind(
        &self,
        decided_before: i64,
        ran_before: i64,
    ) -> Result<(), RuntimeError> {
        for call in self.left_without_run(decided_before, ran_before).await? {
            let Some(principal) = self.principal_of(call.org, call.asker).await? else {
                self.counter()
                    .close_calls(call.org, None, &[call.id], Closing::Stopped)
                    .await?;
                continue;
            };
            let outcome = self
                .counter()
                .resume(&principal, call.id, None, CancellationToken::new())
                .await;
            if let Err(error) = outcome {
                tracing::error!(call = %call.id, %error, "an approved call could not be run");
            }
        }
        Ok(())
    }

    /// The decision that a stock client sent inside a message; it names only the approval.
    ///
    /// # Errors
    /// When the decision does not count.
    pub async fn decide_by_message(
        &self,
        principal: &Principal,
        id: ApprovalId,
        kind: toolcrib_counter::DecisionKind,
        reason: Option<String>,
    ) -> Result<(), DecideError> {
        let row = approvals::get(&mut self.store().snapshot().await?, principal.org, id).await?;
        let row = row
            .filter(|row| may_see(principal, row))
            .ok_or(DecideError::NotFound)?;
        self.decide(
            principal,
            id,
            Decision {
                kind,
                reason,
                arguments_hash: row.arguments_hash,
                arguments: None,
                grant: GrantKind::Once,
            },
        )
        .await?;
        Ok(())
    }
}

/// The first words of the first message.
fn title(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let mut title: String = line.chars().take(LONGEST_TITLE).collect();
    if line.chars().count() > LONGEST_TITLE {
        title.push('…');
    }
    title
}
