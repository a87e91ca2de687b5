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
        let is_read_only = |call: &ToolCall| call::is_read_only(self.tools, &call.name);
        if calls.len() > 1 && calls.iter().all(is_read_only) {
            let outcomes = join_all(calls.iter().map(|call| self.run_call(call))).await;
            // Each of them was run, and says so, whatever became of the others.
            let settled: Vec<Result<(), Stopped>> = calls
                .iter()
                .zip(outcomes)
                .map(|(call, outcome)| self.settle(call, outcome, sink))
                .collect();
            settled.into_iter().collect::<Result<(), Stopped>>()?;
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
            let text = CallText::error(self.unknown_text(&call.name));
            return Outcome::Ended(CallState::Failed, text);
        }
        let resume = self
            .answers
            .get(&call.id.to_string())
            .map(|(state, answer)| Resume {
                state: state.clone(),
                answer: answer.clone(),
            });
        let permit = Permit {
            approved: self.approved.contains(&call.id),
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
                self.end(call.id, CallState::Failed, &CallText::error(&reason), sink);
                self.mark_aborting(call.id);
                self.abort.get_or_insert(reason);
            }
            Outcome::MissingExecutor(name) => {
                let text = CallText::error("Not started: nobody runs this tool.");
                self.end(call.id, CallState::NotStarted, &text, sink);
                return Err(Stopped::MissingExecutor(name));
            }
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
    fn mark_aborting(&mut self, id: CallId) {
        let step = self.steps.last_mut();
        let mut calls = step.into_iter().flat_map(|step| &mut step.calls);
        if let Some(call) = calls.find(|call| call.id == id) {
            call.aborts = true;
        }
    }
}
