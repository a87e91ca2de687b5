//! One model call of a run: told as it comes, stored before anything that it asks for runs.

use std::collections::{BTreeSet, HashSet};

use serde_json::json;
use toolcrib::agent::step::Offer;
use toolcrib::id::{CallId, RunId};
use toolcrib::message::{ToolCall, check_pairs};
use toolcrib::model::{Answer, ModelErrorKind, ModelEvent, ModelSink};
use toolcrib::state::CallState;
use toolcrib_counter::CounterError;
use toolcrib_data::platform::calls::{self, CallEvent, CallRow, CallRows, Place, Via};
use toolcrib_data::platform::people;
use toolcrib_data::platform::runs::{self, RunState, StepRow};
use toolcrib_data::platform::usage::Used;
use toolcrib_data::platform::withheld::{self, WithheldRow};
use toolcrib_data::records::Audience;

use super::driver::{Drive, Turn, release};
use super::encode::Kept;
use super::prompt::{Frame, messages};
use super::state::LoadedRun;
use super::tell;
use crate::RuntimeError;
use crate::language_model::provider::Provider;
use crate::stream::{Chunk, StreamWriter, ToolPart, part_id};
use crate::usage::Asked;

/// The most tokens that one step counts.
const MOST_TOKENS: u64 = 1_000_000_000;

impl Drive<'_> {
    pub(super) async fn model_step(
        &self,
        run: &LoadedRun,
        frame: &Frame,
        offer: Offer,
    ) -> Result<Turn, RuntimeError> {
        let Some((provider, model)) = self.runtime.models().get(self.agent.model.as_deref()) else {
            return self
                .fail("No language model is configured. Add one in Settings.")
                .await;
        };
        let workspace = self.runtime.workspace();
        let reader = workspace.recipient(Audience::LanguageModel {
            provider: provider.name(),
        });
        let mut snapshot = self.runtime.store().snapshot().await?;
        let (messages, kept) = messages(&mut snapshot, run, reader).await?;
        drop(snapshot);
        if let Err(error) = check_pairs(&messages) {
            tracing::error!(run = %self.lease.run, %error, "the transcript is not whole");
            return self
                .fail("The conversation can't be continued: a call has no result.")
                .await;
        }
        if let Some(why) = self.used_up(run).await? {
            return self.fail(&why).await;
        }
        self.note_kept(provider, &kept).await?;
        let number = run.steps.len();
        let request = frame.request(messages, self.runtime.first_choice(number), offer);
        self.writer.send(&Chunk::StartStep);
        let mut telling = Telling::new(&self.writer, run, (number, self.lease.epoch));
        if number == self.begun_at && self.lease.epoch > 1 {
            // Whoever had the run before may have told some of this step.
            telling.restart();
        }
        let answer = tokio::select! {
            answer = model.respond(&request, &mut telling, &self.cancel) => answer,
            // The next server asks again; nothing that was asked for has run.
            () = self.runtime.shutdown().cancelled() => return Ok(Turn::Over),
        };
        telling.end_parts();
        let begun = telling.begun;
        match answer {
            Ok(answer) => {
                self.store(run, number, &answer, kept.fields).await?;
                self.tell_asked(number, &begun).await?;
                if answer.message.tool_calls().next().is_none() {
                    self.writer.send(&Chunk::FinishStep);
                }
                Ok(Turn::GoOn)
            }
            Err(error) if error.kind == ModelErrorKind::Cancelled => Ok(Turn::GoOn),
            Err(error) => self.fail(&error.to_string()).await,
        }
    }

    /// Writes down, before anything is sent, what of which results is kept from the model.
    async fn note_kept(&self, provider: Provider, kept: &Kept) -> Result<(), RuntimeError> {
        if kept.calls.is_empty() {
            return Ok(());
        }
        let store = self.runtime.store();
        let at = store.clock().micros();
        let mut unit = store.unit().await?;
        if !runs::holds(&mut unit, &self.lease).await? {
            return Err(CounterError::LeaseLost.into());
        }
        for (call, fields) in &kept.calls {
            let row = WithheldRow {
                call: *call,
                provider: provider.name().to_owned(),
                fields: fields.clone(),
                at,
            };
            withheld::record(&mut unit, self.lease.org, &row).await?;
        }
        unit.commit().await?;
        Ok(())
    }

    async fn store(
        &self,
        run: &LoadedRun,
        number: usize,
        answer: &Answer,
        withheld: BTreeSet<String>,
    ) -> Result<(), RuntimeError> {
        let store = self.runtime.store();
        let now = store.clock().micros();
        let step = i64::try_from(number).unwrap_or(i64::MAX);
        let rows: Vec<CallRows> = (0..)
            .zip(answer.message.tool_calls())
            .map(|(position, call)| {
                self.asked(
                    run,
                    Place {
                        run: run.row.id,
                        step,
                        position,
                    },
                    call,
                    now,
                )
            })
            .collect();
        let mut unit = store.unit().await?;
        if !runs::holds(&mut unit, &self.lease).await? {
            return Err(CounterError::LeaseLost.into());
        }
        let row = StepRow {
            step,
            epoch: self.lease.epoch,
            answer: answer.clone(),
            withheld,
            created_at: now,
        };
        runs::insert_step(&mut unit, self.lease.org, self.lease.run, &row).await?;
        calls::insert(&mut unit, &rows).await?;
        let model: String = answer
            .meta
            .model
            .chars()
            .filter(|c| !c.is_control())
            .take(200)
            .collect();
        let of = (run.row.agent.as_str(), model.as_str());
        let by = (self.lease.org, run.row.asker);
        let used = used(number, answer);
        self.runtime.count_usage(&mut unit, by, of, used).await?;
        unit.commit().await?;
        Ok(())
    }

    /// Why the asker may have no further step, in a sentence.
    async fn used_up(&self, run: &LoadedRun) -> Result<Option<String>, RuntimeError> {
        let mut snapshot = self.runtime.store().snapshot().await?;
        let (org, user) = (self.lease.org, run.row.asker);
        let asker = people::user(&mut snapshot, org, user).await?;
        let roles = asker.map(|user| user.roles).unwrap_or_default();
        let asker = (user, roles.as_slice());
        let why = self
            .runtime
            .used_up(&mut snapshot, org, asker, Asked::ByRun);
        Ok(why
            .await?
            .map(|why| format!("The answer ends here: {why}.")))
    }

    fn asked(&self, run: &LoadedRun, place: Place, call: &ToolCall, now: i64) -> CallRows {
        let name: String = call.name.chars().take(200).collect();
        let mut events = vec![CallEvent {
            state: CallState::Asked,
            at: now,
            by: None,
            reason: None,
        }];
        // A call that the output limit cut off is not run, whatever its arguments look like.
        let cut =
            "Not run: the output limit cut this call off. Ask again, with less text.".to_owned();
        let (state, error) = if call.cut {
            (CallState::NotStarted, Some(cut))
        } else {
            (CallState::Asked, None)
        };
        if call.cut {
            events.push(CallEvent {
                state,
                at: now,
                by: None,
                reason: error.clone(),
            });
        }
        let row = CallRow {
            org: run.row.org,
            id: call.id,
            place: Some(place),
            provider_call_id: call.provider_id.clone(),
            conversation: Some(run.row.conversation),
            agent: Some(run.row.agent.clone()),
            via: Via::Chat,
            asker: run.row.asker,
            credential: run.row.credential,
            title: name.clone(),
            tool: name,
            found: None,
            state,
            arguments_asked: call.arguments.clone(),
            arguments: None,
            arguments_hash: None,
            repairs: None,
            result: None,
            error,
            shown: false,
            handle: None,
            tags: None,
            idempotency_key: None,
            trial: run.mode.stored(),
            hooks: None,
            asked_at: now,
            started_at: None,
            ended_at: call.cut.then_some(now),
        };
        CallRows {
            call: row,
            events,
            deliveries: Vec::new(),
        }
    }

    async fn tell_asked(&self, number: usize, begun: &HashSet<CallId>) -> Result<(), RuntimeError> {
        let run = self.load().await?;
        let Some(step) = run.steps.get(number) else {
            return Ok(());
        };
        for call in &step.calls {
            if !begun.contains(&call.row.id) {
                self.writer.send(&tell::begun(call));
            }
            tell::asked(call)
                .iter()
                .chain(&tell::now(call, &[]))
                .for_each(|chunk| self.writer.send(chunk));
        }
        Ok(())
    }

    async fn fail(&self, error: &str) -> Result<Turn, RuntimeError> {
        tracing::warn!(run = %self.lease.run, error, "the run failed");
        release(
            self.runtime,
            &self.lease,
            RunState::Failed,
            &json!({"error": error}),
        )
        .await?;
        let notice = json!({"kind": "model_error", "text": error});
        self.writer.send(&Chunk::DataNotice {
            id: "notice".to_owned(),
            data: notice,
        });
        self.writer.send(&Chunk::Error {
            error_text: error.to_owned(),
        });
        Ok(Turn::Over)
    }
}

/// Tells what a model says as it says it.
struct Telling<'a> {
    writer: &'a StreamWriter,
    run: RunId,
    /// Its number, and under which taking of the run it is asked for.
    step: (usize, i64),
    text: Part,
    reasoning: Part,
    begun: HashSet<CallId>,
}

/// One part of the answer. It stays open until the step ends, also where text and reasoning take
/// turns: a part that began twice would lose its beginning.
struct Part {
    id: String,
    is_open: bool,
}

impl<'a> Telling<'a> {
    fn new(writer: &'a StreamWriter, run: &LoadedRun, step: (usize, i64)) -> Self {
        let part = |kind: &str| Part {
            id: part_id(run.row.id, step, kind),
            is_open: false,
        };
        Self {
            writer,
            run: run.row.id,
            step,
            text: part("text"),
            reasoning: part("reasoning"),
            begun: HashSet::new(),
        }
    }

    /// The answer broke off and is asked for again: what was told of it is void.
    fn restart(&mut self) {
        self.end_parts();
        self.begun.clear();
        // The parts keep their ids: a replay from the rows tells them by the same.
        self.writer.send(&Chunk::DataRestart {
            id: part_id(self.run, self.step, "restart"),
            data: json!({"step": self.step.0}),
            transient: true,
        });
    }

    fn end_parts(&mut self) {
        if std::mem::take(&mut self.reasoning.is_open) {
            self.writer.send(&Chunk::ReasoningEnd {
                id: self.reasoning.id.clone(),
            });
        }
        if std::mem::take(&mut self.text.is_open) {
            self.writer.send(&Chunk::TextEnd {
                id: self.text.id.clone(),
            });
        }
    }
}

impl ModelSink for Telling<'_> {
    fn event(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::Text(delta) => {
                if !std::mem::replace(&mut self.text.is_open, true) {
                    self.writer.send(&Chunk::TextStart {
                        id: self.text.id.clone(),
                    });
                }
                self.writer.send(&Chunk::TextDelta {
                    id: self.text.id.clone(),
                    delta,
                });
            }
            ModelEvent::Reasoning(delta) => {
                if !std::mem::replace(&mut self.reasoning.is_open, true) {
                    self.writer.send(&Chunk::ReasoningStart {
                        id: self.reasoning.id.clone(),
                    });
                }
                self.writer.send(&Chunk::ReasoningDelta {
                    id: self.reasoning.id.clone(),
                    delta,
                });
            }
            ModelEvent::CallStarted { id, name } => {
                self.begun.insert(id);
                self.writer.send(&Chunk::ToolInputStart(ToolPart::new(
                    &id.to_string(),
                    &name,
                    &name,
                )));
            }
            // A piece before its start would be fatal to a client.
            ModelEvent::CallArguments { id, delta } if self.begun.contains(&id) => {
                self.writer.send(&Chunk::ToolInputDelta {
                    tool_call_id: id.to_string(),
                    input_text_delta: delta,
                });
            }
            ModelEvent::CallArguments { .. } => {}
            ModelEvent::Restarted => self.restart(),
        }
    }
}

/// What a step used; its first step counts the message.
fn used(number: usize, answer: &Answer) -> Used {
    let usage = answer.meta.usage.unwrap_or_default();
    // What a provider says is not trusted with sums.
    let count =
        |tokens: Option<u64>| i64::try_from(tokens.unwrap_or(0).min(MOST_TOKENS)).unwrap_or(0);
    Used {
        requests: i64::from(number == 0),
        steps: 1,
        input_tokens: count(usage.input_tokens),
        output_tokens: count(usage.output_tokens),
        cached_tokens: count(usage.cached_tokens),
        reasoning_tokens: count(usage.reasoning_tokens),
    }
}
