//! What a language model is asked in a run.

use toolcrib::Definitions;
use toolcrib::agent::step::Offer;
use toolcrib::message::Message;
use toolcrib::model::{ModelRequest, ToolChoice};
use toolcrib_counter::{AgentScope, Principal, Registry};
use toolcrib_data::platform::conversations;
use toolcrib_data::platform::runs;
use toolcrib_data::records::Recipient;
use toolcrib_data::{ReadFrom, StoreError};

use super::encode::{Encoder, Kept};
use super::state::LoadedRun;
use crate::Agent;

/// What stays the same over a run: built once, so that a provider's prompt cache can hold it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    system: String,
    tools: Definitions,
    agent: Agent,
}

impl Frame {
    pub(crate) async fn new(
        registry: &Registry,
        principal: &Principal,
        agent: &Agent,
        scope: &AgentScope,
    ) -> Self {
        let mut system = agent.instructions.clone();
        for text in registry.context(principal, scope).await {
            system.push_str("\n\n");
            system.push_str(&text);
        }
        Self {
            system,
            tools: registry.definitions(principal, scope).into(),
            agent: agent.clone(),
        }
    }

    /// The request of the next step.
    pub(crate) fn request(
        &self,
        messages: Vec<Message>,
        choice: ToolChoice,
        offer: Offer,
    ) -> ModelRequest {
        ModelRequest {
            system: self.system.clone(),
            messages: messages.into(),
            tools: self.tools.clone(),
            // The tools stay in sight, since the transcript speaks of them.
            tool_choice: match offer {
                Offer::Tools => choice,
                Offer::Nothing => ToolChoice::None,
            },
            temperature: self.agent.temperature,
            max_output_tokens: self.agent.max_output_tokens,
            ..ModelRequest::default()
        }
    }
}

/// What was said in the conversation before and in this run, in order, as the reader may receive
/// it; and what was taken out.
pub(crate) async fn messages(
    from: &mut impl ReadFrom,
    run: &LoadedRun,
    reader: Recipient<'_>,
) -> Result<(Vec<Message>, Kept), StoreError> {
    let (org, conversation) = (run.row.org, run.row.conversation);
    let mut entries: Vec<(i64, Vec<Message>)> = conversations::messages(from, org, conversation)
        .await?
        .into_iter()
        .map(|message| (message.seq, vec![Message::User { text: message.text }]))
        .collect();
    let mut encoder = Encoder::new(reader);
    let mut rows = runs::of_conversation(from, org, conversation).await?;
    rows.sort_by_key(|row| row.seq);
    for row in rows {
        let loaded = if row.id == run.row.id {
            run.clone()
        } else {
            LoadedRun::load(from, row).await?
        };
        let transcript = toolcrib::agent::step::transcript(&encoder.run(&loaded));
        entries.push((loaded.row.seq, transcript));
    }
    entries.sort_by_key(|(seq, _)| *seq);
    let messages = entries.into_iter().flat_map(|(_, messages)| messages);
    Ok((messages.collect(), encoder.into_kept()))
}
