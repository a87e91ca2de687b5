//! One run in memory: does what [`next`](super::step::next) says until it says that the run is
//! over.

mod ask;
mod calls;
mod shape;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::fit;
use super::options::Options;
use super::output::Shape;
use super::step::{
    Bounds, CallText, Closing, Finish, Next, Offer, Step, ending_text, next, results_within,
};
use super::{
    GenerateError, GenerateErrorKind, GenerateEvent, GenerateResult, GenerateSink, Paused,
    PendingCall, Request, Warning,
};
use crate::id::CallId;
use crate::message::{Message, Transcript};
use crate::model::{AnswerMeta, Delivery, SharedModel};
use crate::state::CallState;
use crate::{Definitions, ToolDefinition, Tools};

pub(super) struct Run<'a, T> {
    options: &'a Options,
    model: SharedModel,
    request: Request,
    tools: &'a T,
    /// What the set offers, before a step narrows it.
    definitions: Definitions,
    max_steps: usize,
    /// Set where nothing is to be run.
    is_once: bool,
    steps: Vec<Step>,
    metas: Vec<AnswerMeta>,
    /// The whole transcript, where what is sent was cut.
    full: Option<Transcript>,
    /// Bytes of what is sent.
    size: usize,
    /// What the last step offered.
    offered: Definitions,
    shape: Option<Shape>,
    output: Option<Value>,
    warnings: Vec<Warning>,
    pending: Vec<PendingCall>,
    answers: BTreeMap<String, (Value, Value)>,
    approved: BTreeSet<CallId>,
    abort: Option<String>,
    /// How many messages are known to be paired, counted from the first.
    paired: usize,
    /// Set where the answer is to be given again.
    asks_again: bool,
    /// Bytes that the definitions take in a request; measured once, where it matters.
    tools_size: Option<usize>,
    /// Why a run that was kept can't go on.
    flaw: Option<&'static str>,
}

/// How a run is over.
pub(super) enum Over {
    /// It came to an end.
    Finished(Finish),
    /// Calls are left to the caller: they wait for somebody, or nothing was to be run.
    Left,
}

type Stopped = GenerateErrorKind;

impl<'a, T: Tools> Run<'a, T> {
    pub(super) fn new(
        options: &'a Options,
        model: &SharedModel,
        mut request: Request,
        tools: &'a T,
        max_steps: usize,
    ) -> Self {
        request.ensure_messages_from_prompt();
        let definitions = tools.definitions();
        Self {
            options,
            model: model.clone(),
            tools,
            offered: definitions.clone(),
            definitions,
            max_steps,
            is_once: false,
            steps: Vec::new(),
            metas: Vec::new(),
            full: None,
            size: request.messages.iter().map(fit::size).sum(),
            request,
            shape: None,
            output: None,
            warnings: Vec::new(),
            pending: Vec::new(),
            answers: BTreeMap::new(),
            approved: BTreeSet::new(),
            abort: None,
            asks_again: false,
            paired: 0,
            tools_size: None,
            flaw: None,
        }
    }

    /// Asks once and runs nothing, with the tools of the request itself.
    pub(super) fn once(mut self) -> Self {
        self.definitions = self.request.tools.clone();
        self.offered = self.definitions.clone();
        self.is_once = true;
        self
    }

    pub(super) fn resumed(
        options: &'a Options,
        model: &SharedModel,
        paused: Paused,
        tools: &'a T,
    ) -> Self {
        let flaw = paused.flaw();
        let mut run = Self::new(options, model, paused.request, tools, paused.max_steps);
        run.metas = paused.metas;
        run.warnings = paused.warnings;
        if flaw.is_some() {
            run.flaw = flaw;
            return run;
        }
        run.steps = paused.steps;
        run.pending = paused.pending;
        run.answers = paused.answers;
        run.approved = paused.approved;
        // What was decided may have ended the last call that the step waited for.
        run.tell_results();
        run
    }

    pub(super) fn model(&self) -> &SharedModel {
        &self.model
    }

    pub(super) fn message_count(&self) -> usize {
        self.request.messages.len()
    }

    pub(super) fn tool_count(&self) -> usize {
        self.definitions.len()
    }

    pub(super) async fn drive(
        mut self,
        delivery: Delivery,
        sink: &mut dyn GenerateSink,
    ) -> Result<GenerateResult, GenerateError> {
        if let Err(kind) = self.prepare() {
            return Err(self.error(kind, sink));
        }
        loop {
            match self.turn(delivery, sink).await {
                Ok(None) => {}
                Ok(Some(over)) => return Ok(self.result(&over)),
                Err(kind) => return Err(self.error(kind, sink)),
            }
        }
    }

    fn prepare(&mut self) -> Result<(), Stopped> {
        if let Some(flaw) = self.flaw {
            let text = format!("the run that was kept does not hold together: {flaw}");
            return Err(Stopped::InvalidRequest(text));
        }
        crate::message::check_pairs(self.request.messages.iter().take(self.whole()))?;
        let can = self.model.capabilities();
        if !can.tools && !self.definitions.is_empty() {
            self.warn(Warning::ToolsNotSupported);
        }
        if let Some(schema) = &self.request.output {
            let mut shape = Shape::new(schema, &can, &self.definitions)?;
            // Of a run that waited: what was asked for once more then is not asked for again.
            shape.retried = self.warnings.contains(&Warning::OutputRetried);
            self.shape = Some(shape);
        }
        Ok(())
    }

    /// How many messages have to be whole: the answer that a resumed run waits at is not yet.
    fn whole(&self) -> usize {
        let messages = &self.request.messages;
        if self.steps.is_empty() {
            return messages.len();
        }
        messages
            .iter()
            .rposition(|message| matches!(message, Message::Assistant(_)))
            .unwrap_or(messages.len())
    }

    /// Does the next thing; says how the run ended where that was the last.
    async fn turn(
        &mut self,
        delivery: Delivery,
        sink: &mut dyn GenerateSink,
    ) -> Result<Option<Over>, Stopped> {
        let bounds = self.bounds();
        let next = if std::mem::take(&mut self.asks_again) && !bounds.stopped {
            Next::CallModel(Offer::Tools)
        } else {
            next(&self.steps, bounds)
        };
        match next {
            Next::CallModel(offer) => {
                self.ask(offer, delivery, sink).await?;
                self.take_output_call(sink)
            }
            Next::CloseCalls { .. } if self.is_once && !bounds.stopped => Ok(Some(Over::Left)),
            Next::RunCalls(calls) => {
                self.run_calls(&calls, sink).await?;
                Ok(None)
            }
            Next::CloseCalls { calls, why } => {
                if why == Closing::Repeated {
                    self.warn(Warning::RepeatedCall);
                }
                self.close_calls(&calls, why, sink);
                Ok(None)
            }
            Next::Wait if bounds.stopped => Err(Stopped::Cancelled),
            Next::Wait => Ok(Some(Over::Left)),
            Next::Finish(Finish::Stopped) => Err(Stopped::Cancelled),
            Next::Finish(Finish::Aborted) => Err(Stopped::Aborted {
                reason: self.abort.take().unwrap_or_default(),
            }),
            Next::Finish(Finish::Answered) => self.answered(),
            Next::Finish(finish) => Ok(Some(Over::Finished(finish))),
        }
    }

    fn bounds(&self) -> Bounds {
        let usages = || self.metas.iter().filter_map(|meta| meta.usage);
        Bounds {
            max_steps: self.max_steps,
            repeats: self.options.repeats,
            stopped: self.options.cancel.is_cancelled(),
            condition_met: self
                .options
                .stop_when
                .iter()
                .any(|condition| condition.holds(&self.steps, usages())),
        }
    }

    fn close_calls(&mut self, calls: &[CallId], why: Closing, sink: &mut dyn GenerateSink) {
        self.pending
            .retain(|pending| !calls.contains(&pending.call.id));
        for id in calls {
            self.end(*id, why.ending(), &CallText::error(why.text()), sink);
        }
        self.tell_results();
    }

    fn end(&mut self, id: CallId, state: CallState, text: &CallText, sink: &mut dyn GenerateSink) {
        let name = self
            .steps
            .last()
            .and_then(|step| step.calls.iter().find(|call| call.id == id))
            .map(|call| call.name.clone());
        sink.event(GenerateEvent::Call {
            id,
            name: name.unwrap_or_default(),
            state,
            content: text.content.clone(),
        });
        self.set(id, state, Some(text));
    }

    fn set(&mut self, id: CallId, state: CallState, text: Option<&CallText>) {
        let calls = self
            .steps
            .last_mut()
            .into_iter()
            .flat_map(|step| &mut step.calls);
        for call in calls.filter(|call| call.id == id) {
            call.state = state;
            call.result = text.cloned();
        }
    }

    /// Once every call of the last step has ended, their results go into the transcript.
    fn tell_results(&mut self) {
        let is_over = self.steps.last().is_some_and(|step| {
            !step.calls.is_empty() && step.calls.iter().all(|call| call.state.is_ending())
        });
        let is_told = matches!(self.request.messages.last(), Some(Message::Tool(_)));
        if !is_over || is_told {
            return;
        }
        for result in results_within(&self.steps, self.options.repeats) {
            self.say(Message::Tool(result));
        }
    }

    fn say(&mut self, message: Message) {
        self.size += fit::size(&message);
        if let Some(full) = &mut self.full {
            full.push(message.clone());
        }
        self.request.messages.push(message);
    }

    fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn error(mut self, kind: Stopped, sink: &mut dyn GenerateSink) -> GenerateError {
        // Whatever happened, the transcript that is left is whole.
        let (state, content) = match kind {
            Stopped::Cancelled => (CallState::Cancelled, ending_text(CallState::Cancelled)),
            Stopped::Aborted { .. } => (CallState::NotStarted, Closing::Aborted.text()),
            _ => (CallState::NotStarted, BROKE_OFF),
        };
        self.close_open(state, content, sink);
        self.tell_results();
        GenerateError::new(kind, self.into_result(None))
    }

    fn close_open(&mut self, state: CallState, content: &str, sink: &mut dyn GenerateSink) {
        let open: Vec<CallId> = self
            .steps
            .last()
            .into_iter()
            .flat_map(|step| &step.calls)
            .filter(|call| !call.state.is_ending())
            .map(|call| call.id)
            .collect();
        self.pending.clear();
        for id in open {
            self.end(id, state, &CallText::error(content), sink);
        }
    }

    fn result(mut self, over: &Over) -> GenerateResult {
        let finish = match over {
            Over::Finished(finish) => Some(*finish),
            Over::Left => None,
        };
        match finish {
            Some(Finish::StepLimit) => self.warn(Warning::ToolLoopStepLimit),
            Some(Finish::Repeated) => self.warn(Warning::RepeatedCall),
            _ => {}
        }
        let paused = (!self.pending.is_empty()).then(|| Box::new(self.paused()));
        let mut result = self.into_result(finish);
        result.paused = paused;
        result
    }

    fn paused(&self) -> Paused {
        let mut request = self.request.clone();
        if let Some(full) = &self.full {
            request.messages = full.clone();
        }
        Paused {
            request,
            steps: self.steps.clone(),
            metas: self.metas.clone(),
            max_steps: self.max_steps,
            pending: self.pending.clone(),
            answers: self.answers.clone(),
            approved: self.approved.clone(),
            warnings: self.warnings.clone(),
            repeats: self.options.repeats,
        }
    }

    fn into_result(self, finish: Option<Finish>) -> GenerateResult {
        GenerateResult {
            steps: self.steps,
            metas: self.metas,
            finish,
            messages: self.full.unwrap_or(self.request.messages),
            output: self.output,
            output_tool: self
                .shape
                .as_ref()
                .and_then(Shape::tool)
                .map(|tool| tool.name.to_string()),
            warnings: self.warnings,
            paused: None,
        }
    }

    /// The tokens that there is room for in a request to this model, where that is known.
    fn room(&self, model: &SharedModel) -> Option<u64> {
        let can = model.capabilities();
        let whole = match (self.options.context_tokens, can.context_tokens) {
            (Some(asked), Some(known)) => asked.min(known),
            (asked, known) => asked.or(known)?,
        };
        let answer = self
            .request
            .max_output_tokens
            .map_or(can.output_tokens.unwrap_or(4096), u64::from)
            .min(whole / 4);
        Some(whole - answer)
    }
}

/// What the model reads of calls that were left when the run ended in an error.
const BROKE_OFF: &str = "Not started: the run ended in an error before this call ran.";

/// The bytes that definitions take in a request.
fn definitions_size(definitions: &[ToolDefinition]) -> usize {
    definitions
        .iter()
        .map(|tool| tool.description.len() + tool.input_schema.to_string().len())
        .sum()
}
