//! A whole run that is tried: in a conversation of its own whose calls are all trials.

use std::time::Duration;

use serde::Serialize;
use toolcrib::id::ConversationId;
use toolcrib::message::AssistantPart;
use toolcrib_counter::{CallMode, Principal};
use toolcrib_data::platform::runs::{self, RunState};
use utoipa::ToSchema;

use super::around::Around;
use super::start::{ChatError, ChatMessage};
use super::state::LoadedRun;
use crate::stream::StreamReader;
use crate::{CallView, Runtime, RuntimeError};

/// How often the rows of a run are looked at.
const PAUSE: Duration = Duration::from_secs(1);

/// What a run would have done.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrialView {
    /// The trial's conversation. It is in no list.
    pub conversation_id: String,
    /// `done`, `failed`, `stopped` or `waiting`; `active` where the server ends before the run.
    pub state: String,
    /// The answer.
    pub answer: String,
    /// Why there is none, or why it ends early.
    pub notice: Option<String>,
    /// Every call, in the order asked, with its result or failure, and what would have changed.
    pub calls: Vec<CallView>,
}

impl Runtime {
    /// Tries a whole run of an agent: it runs to its end, and everything that its calls wrote is
    /// undone. Whoever stops to wait for it does not stop the run, which holds nothing between two calls.
    ///
    /// # Errors
    /// When no run can begin; nothing is stored then.
    pub async fn try_run(
        &self,
        principal: &Principal,
        agent: &str,
        text: String,
    ) -> Result<TrialView, ChatError> {
        let conversation = ConversationId::mint();
        let message = ChatMessage {
            conversation,
            id: format!("trial-{conversation}"),
            text,
            mode: CallMode::Trial,
        };
        let mut stream = self.chat(principal, agent, message).await?.stream;
        loop {
            // Told by another server, the run is seen to end in its rows alone.
            tokio::select! {
                () = read_to_end(&mut stream) => {}
                () = tokio::time::sleep(PAUSE) => {}
                () = self.shutdown().cancelled() => {}
            }
            let mut snapshot = self.store().snapshot().await?;
            let runs = runs::of_conversation(&mut snapshot, principal.org, conversation).await?;
            // Its owner may have deleted it in the meantime, or gone on in it.
            let run = runs
                .into_iter()
                .next()
                .ok_or(ChatError::UnknownConversation)?;
            if run.state != RunState::Active || self.shutdown().is_cancelled() {
                let run = LoadedRun::load(&mut snapshot, run).await?;
                return Ok(self.trial_view(&run).await?);
            }
        }
    }

    async fn trial_view(&self, run: &LoadedRun) -> Result<TrialView, RuntimeError> {
        let mut snapshot = self.store().snapshot().await?;
        let mut around = Around::new(run.row.org);
        let mut calls = Vec::new();
        for call in run.calls() {
            calls.push(around.call(&mut snapshot, &call.row, run.row.asker).await?);
        }
        let notice = run.notice();
        let notice = notice
            .as_ref()
            .and_then(|notice| notice.get("text")?.as_str());
        Ok(TrialView {
            conversation_id: run.row.conversation.to_string(),
            state: run.row.state.name().to_owned(),
            answer: answer(run),
            notice: notice.map(str::to_owned),
            calls,
        })
    }
}

/// Reads a stream to its end, once.
async fn read_to_end(stream: &mut Option<StreamReader>) {
    let Some(told) = stream else {
        return std::future::pending().await;
    };
    while told.next().await.is_some() {}
    *stream = None;
}

/// What the language model said last.
fn answer(run: &LoadedRun) -> String {
    let parts = run
        .steps
        .last()
        .map(|step| step.row.answer.message.parts.as_slice());
    let texts = parts
        .unwrap_or_default()
        .iter()
        .filter_map(|part| match part {
            AssistantPart::Text { text, .. } | AssistantPart::Refusal { text } => {
                Some(text.as_str())
            }
            AssistantPart::Reasoning { .. } | AssistantPart::ToolCall(_) => None,
        });
    texts.collect()
}
