//! The calls of a step.

use futures_util::future::join_all;

use super::{Run, Stopped};
use crate::Tools;
use crate::agent::call::{self, Outcome, Permit};
use crate::agent::step::CallText;
use crate::agent::{GenerateEvent, GenerateSink, PendingCall};
use crate::id::CallId;
use crate::message::ToolCall;
use crate::state::CallState;
use crate::tool::context::Resume;

impl<T: Tools> Run<'_, T> {
    /// Runs the calls side by side where each is read-only, else one after the other.
    pub(super) async fn run_calls(
        &mut self,
        ids: &[CallId],
        sink: &mut dyn GenerateSink,
    ) -> Result<(), Stopped> {
        let Some(last) = self.steps.last() else {
            return Ok(());
        };
        let calls: Vec<ToolCall> = last
            .answer
            .tool_calls()
            .filter(|call| ids.contains(&call.id))
            .cloned()
            .collect();
        let are_read_only =
            calls.len() > 1 && calls.iter().all(|call| self.tools.is_read_only(&call.name));
        if are_read_only {
            let outcomes = join_all(calls.iter().map(|call| self.run_call(call))).await;
            for (call, outcome) in calls.iter().zip(outcomes) {
                self.settle(call, outcome, sink)?;
            }
        } else {
            for call in &calls {
                // A stop, or an end that another call brought, leaves the rest to be closed.
                if self.options.cancel.is_cancelled() || self.abort.is_some() {
                    break;
                }
                let outcome = self.run_call(call).await;
                self.settle(call, outcome, sink)?;
            }
        }
        self.tell_results();
        Ok(())
    }

    async fn run_call(&self, call: &ToolCall) -> Outcome {
        if !self.is_offered(&call.name) {
            let text = CallText {
                content: self.unknown_text(&call.name),
                is_error: true,
            };
            return Outcome::Ended(CallState::Failed, text);
        }
        let state = self
            .steps
            .last()
            .and_then(|step| step.calls.iter().find(|known| known.id == call.id))
            .map(|call| call.state);
        let resume = self
            .answers
            .get(&call.id.to_string())
            .map(|(state, answer)| Resume {
                state: state.clone(),
                answer: answer.clone(),
            });
        let permit = Permit {
            approved: state == Some(CallState::Approved),
            resume,
        };
        call::run(call, permit, self.tools, self.options).await
    }

    fn settle(
        &mut self,
        call: &ToolCall,
        outcome: Outcome,
        sink: &mut dyn GenerateSink,
    ) -> Result<(), Stopped> {
        match outcome {
            Outcome::Ended(state, text) => self.end(call.id, state, &text, sink),
            Outcome::Aborts(reason) => {
                let text = CallText {
                    content: reason.clone(),
                    is_error: true,
                };
                self.abort = Some(reason);
                self.end(call.id, CallState::Failed, &text, sink);
            }
            Outcome::MissingExecutor(name) => return Err(Stopped::MissingExecutor(name)),
            Outcome::Waits {
                what,
                question,
                agent,
                state,
            } => {
                self.set(call.id, CallState::Waiting(what), None);
                sink.event(GenerateEvent::Call {
                    id: call.id,
                    name: call.name.clone(),
                    state: CallState::Waiting(what),
                    content: String::new(),
                });
                self.pending.push(PendingCall {
                    call: call.clone(),
                    waits_for: what,
                    question,
                    agent,
                    state,
                });
            }
        }
        Ok(())
    }
}
