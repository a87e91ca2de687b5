//! The final answer, where it is to have a certain shape.

use serde_json::Value;

use super::{Over, Run, Stopped};
use crate::Tools;
use crate::agent::output::{Way, complaint};
use crate::agent::step::{CallText, Finish};
use crate::agent::{GenerateSink, Warning};
use crate::id::CallId;
use crate::message::{Message, ToolCall};
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
        let (Some(call), Some(shape)) = (self.output_call(), &self.shape) else {
            return Ok(None);
        };
        let read = if call.cut {
            Err(vec![Problem {
                pointer: String::new(),
                message: "the output limit cut it off; say it in less text".to_owned(),
            }])
        } else {
            shape.read_arguments(&call.arguments)
        };
        match read {
            Ok(value) => {
                self.accept(call.id, value, sink);
                Ok(Some(Over::Finished(Finish::Answered)))
            }
            Err(problems) => {
                let text = CallText::error(complaint(&problems));
                self.end(call.id, CallState::Failed, &text, sink);
                self.once_more(call.arguments, &problems)?;
                self.tell_results();
                Ok(None)
            }
        }
    }

    fn output_call(&self) -> Option<ToolCall> {
        let Way::Tool(name) = &self.shape.as_ref()?.way else {
            return None;
        };
        let answer = &self.steps.last()?.answer;
        answer.tool_calls().find(|call| call.name == *name).cloned()
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
            let text = CallText::error("Not started: the final answer came with it.");
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

    /// One answer may be given again, where a step is left for it and no stop condition holds.
    fn once_more(&mut self, text: String, problems: &[Problem]) -> Result<(), Stopped> {
        let has_step_left =
            self.steps.len() < self.max_steps.max(1) && !self.bounds().condition_met;
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
