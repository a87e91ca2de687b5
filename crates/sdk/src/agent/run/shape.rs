//! The final answer, where it is to have a certain shape.

use serde_json::Value;

use super::{Over, Run, Stopped};
use crate::Tools;
use crate::agent::output::{Way, complaint};
use crate::agent::step::{CallText, Finish};
use crate::agent::{GenerateSink, Warning};
use crate::id::CallId;
use crate::message::Message;
use crate::read::Problem;
use crate::state::CallState;

impl<T: Tools> Run<'_, T> {
    /// The model answered without asking for a tool.
    pub(super) fn answered(&mut self) -> Result<Option<Over>, Stopped> {
        let Some(last) = self.steps.last() else {
            return Ok(Some(Over::Finished(Finish::Answered)));
        };
        let Some(shape) = &self.shape else {
            return Ok(Some(Over::Finished(Finish::Answered)));
        };
        if let Some(refusal) = last.answer.refusal() {
            return Err(Stopped::Refused {
                text: refusal.to_owned(),
            });
        }
        let text = last.answer.text();
        match shape.read_text(&text) {
            Ok(value) => {
                self.output = Some(value);
                Ok(Some(Over::Finished(Finish::Answered)))
            }
            Err(problems) => {
                self.once_more(text, &problems)?;
                self.say(Message::user(complaint(&problems)));
                self.asks_again = true;
                Ok(None)
            }
        }
    }

    /// The call of the tool that takes the final answer, where there is one.
    pub(super) fn take_output_call(
        &mut self,
        sink: &mut dyn GenerateSink,
    ) -> Result<Option<Over>, Stopped> {
        let Some((id, arguments)) = self.output_call() else {
            return Ok(None);
        };
        let Some(shape) = &self.shape else {
            return Ok(None);
        };
        match shape.read_arguments(&arguments) {
            Ok(value) => {
                self.accept(id, value, sink);
                Ok(Some(Over::Finished(Finish::Answered)))
            }
            Err(problems) => {
                self.once_more(arguments, &problems)?;
                let text = CallText {
                    content: complaint(&problems),
                    is_error: true,
                };
                self.end(id, CallState::Failed, &text, sink);
                self.tell_results();
                Ok(None)
            }
        }
    }

    fn output_call(&self) -> Option<(CallId, String)> {
        let Way::Tool(name) = &self.shape.as_ref()?.way else {
            return None;
        };
        let call = self
            .steps
            .last()?
            .answer
            .tool_calls()
            .find(|call| call.name == *name)?;
        Some((call.id, call.arguments.clone()))
    }

    /// With the final answer the run is over; what was asked for beside it is not run.
    fn accept(&mut self, id: CallId, value: Value, sink: &mut dyn GenerateSink) {
        let others: Vec<CallId> = self
            .steps
            .last()
            .into_iter()
            .flat_map(|step| &step.calls)
            .filter(|call| call.id != id)
            .map(|call| call.id)
            .collect();
        for other in others {
            let text = CallText {
                content: "Not started: the final answer came with it.".to_owned(),
                is_error: true,
            };
            self.end(other, CallState::NotStarted, &text, sink);
        }
        let text = CallText {
            content: "Accepted.".to_owned(),
            is_error: false,
        };
        self.end(id, CallState::Succeeded, &text, sink);
        self.tell_results();
        self.output = Some(value);
    }

    /// One answer may be given again, where a step is left for it.
    fn once_more(&mut self, text: String, problems: &[Problem]) -> Result<(), Stopped> {
        let has_step_left = self.steps.len() < self.max_steps.max(1);
        match &mut self.shape {
            Some(shape) if !shape.retried && has_step_left => {
                shape.retried = true;
                self.warn(Warning::OutputRetried);
                Ok(())
            }
            _ => Err(Stopped::Output {
                text,
                problems: problems.to_vec(),
            }),
        }
    }
}
