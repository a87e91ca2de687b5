//! One step: the model is asked.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use super::{Run, Stopped, definitions_size};
use crate::agent::fit::{bytes, fit, tokens};
use crate::agent::options::StepPlan;
use crate::agent::output::Way;
use crate::agent::step::{Offer, Step};
use crate::agent::{GenerateEvent, GenerateSink, UnknownTools, Warning};
use crate::id::CallId;
use crate::message::{AssistantMessage, AssistantPart, Message, check_pairs};
use crate::model::{
    Answer, Delivery, FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelRequest,
    ModelSink, OutputSchema, RetriedAttempt, SharedModel, ToolChoice,
};
use crate::toolset::unknown_tool;
use crate::{Definitions, ToolDefinition, Tools};

impl<T: Tools> Run<'_, T> {
    pub(super) async fn ask(
        &mut self,
        offer: Offer,
        delivery: Delivery,
        sink: &mut dyn GenerateSink,
    ) -> Result<(), Stopped> {
        let (model, mut request) = self.plan(offer, delivery);
        self.make_room(&model, &mut request)?;
        self.check_new(&request)?;
        let step = self.steps.len();
        sink.event(GenerateEvent::StepStarted { step });
        let answer = self.call_cutting(&model, &mut request, sink).await;
        match answer {
            Ok(answer) => self.take(answer, offer),
            Err(error) if error.kind == ModelErrorKind::Cancelled => Err(Stopped::Cancelled),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks the pairing of what came since the last asking, or of everything once it was cut.
    fn check_new(&mut self, request: &ModelRequest) -> Result<(), Stopped> {
        check_pairs(request.messages.iter().skip(self.paired))?;
        self.paired = request.messages.len();
        Ok(())
    }

    /// Asks, and once more with half of it where the provider says that it is too long.
    async fn call_cutting(
        &mut self,
        model: &SharedModel,
        request: &mut ModelRequest,
        sink: &mut dyn GenerateSink,
    ) -> Result<Answer, ModelError> {
        let begun = Instant::now();
        let (answer, told) = self.call_model(model, request, sink).await;
        let error = match answer {
            Err(error) if error.kind == ModelErrorKind::ContextOverflow => error,
            other => return other,
        };
        if !self.cut_to(self.size / 2) {
            return Err(error);
        }
        let latency_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        if told {
            sink.event(GenerateEvent::Model(ModelEvent::Restarted));
        }
        request.messages = self.request.messages.clone();
        let (answer, _) = self.call_model(model, request, sink).await;
        answer.map(|mut answer| {
            let meta = &mut answer.meta;
            meta.attempts = meta.attempts.saturating_add(1);
            meta.latency_ms = meta.latency_ms.saturating_add(latency_ms);
            let failed = RetriedAttempt {
                error: error.to_string(),
                status: error.status,
                latency_ms,
            };
            meta.retried.insert(0, failed);
            answer
        })
    }

    /// Asks, and says whether anything was told of an answer.
    async fn call_model(
        &self,
        model: &SharedModel,
        request: &ModelRequest,
        sink: &mut dyn GenerateSink,
    ) -> (Result<Answer, ModelError>, bool) {
        let observers = &self.options.observers;
        let step = self.steps.len();
        for observer in observers {
            observer.before_model_call(step, request);
        }
        let mut told = false;
        let mut telling = |event: ModelEvent| {
            told = true;
            sink.event(GenerateEvent::Model(event));
        };
        let answer = self.respond(model, request, &mut telling).await;
        for observer in observers {
            observer.after_model_call(step, answer.as_ref());
        }
        (answer, told)
    }

    /// Asks; a model that does not heed a stop is given up.
    async fn respond(
        &self,
        model: &SharedModel,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
    ) -> Result<Answer, ModelError> {
        let cancel = &self.options.cancel;
        let stopped = async {
            cancel.cancelled().await;
            tokio::time::sleep(self.options.stop_deadline).await;
        };
        tokio::select! {
            biased;
            answer = model.respond(request, sink, cancel) => answer,
            () = stopped => Err(ModelError::new(
                model.provider(),
                model.name(),
                ModelErrorKind::Cancelled,
                "",
            )),
        }
    }

    /// What is asked in this step, and of whom.
    fn plan(&mut self, offer: Offer, delivery: Delivery) -> (SharedModel, ModelRequest) {
        let step = self.steps.len();
        let choice = if step == 0 {
            self.request.tool_choice.clone()
        } else {
            ToolChoice::Auto
        };
        let mut plan = StepPlan {
            step,
            steps: &self.steps,
            system: self.request.system.clone(),
            tool_choice: choice,
            temperature: self.request.temperature,
            model: self.model.clone(),
            only: None,
        };
        if let Some(prepare) = &self.options.prepare {
            prepare(&mut plan);
        }
        let StepPlan {
            system,
            tool_choice,
            temperature,
            model,
            only,
            ..
        } = plan;
        let (system, output) = self.shaped(system, &model);
        self.offered = match offer {
            Offer::Nothing => Definitions::default(),
            Offer::Tools => self.narrowed(only.as_ref()),
        };
        let (tools, tool_choice) = match offer {
            Offer::Tools => self.with_output_tool(tool_choice),
            Offer::Nothing => self.without_calls(&model),
        };
        let request = ModelRequest {
            system,
            messages: self.request.messages.clone(),
            tools,
            tool_choice,
            parallel_calls: self.request.parallel_calls,
            temperature,
            max_output_tokens: self.request.max_output_tokens,
            output,
            delivery,
            timeout: self.request.timeout,
        };
        (model, request)
    }

    /// The instructions, with what they have to say of the answer's shape, and the shape where the
    /// provider itself holds the model to it.
    fn shaped(&self, mut system: String, model: &SharedModel) -> (String, Option<OutputSchema>) {
        let Some(shape) = &self.shape else {
            return (system, None);
        };
        let way = shape.way_with(&model.capabilities(), &self.definitions);
        if let Some(words) = shape.words(&way) {
            if !system.is_empty() {
                system.push_str("\n\n");
            }
            system.push_str(&words);
        }
        let output = (way == Way::Native).then(|| shape.schema.clone());
        (system, output)
    }

    fn narrowed(&self, only: Option<&BTreeSet<String>>) -> Definitions {
        let Some(only) = only else {
            return self.definitions.clone();
        };
        let list: Vec<ToolDefinition> = self
            .definitions
            .iter()
            .filter(|tool| only.contains(tool.name.as_str()))
            .cloned()
            .collect();
        list.into()
    }

    /// Where a tool takes the final answer, it stands beside the others, and some tool has to be
    /// called.
    fn with_output_tool(&mut self, choice: ToolChoice) -> (Definitions, ToolChoice) {
        let Some(shape) = &mut self.shape else {
            return (self.offered.clone(), choice);
        };
        let Some(tools) = shape.beside(&self.offered) else {
            return (self.offered.clone(), choice);
        };
        let choice = match choice {
            ToolChoice::Auto => ToolChoice::Required,
            other => other,
        };
        (tools, choice)
    }

    /// The tools stay in sight, since the transcript speaks of them, but none may be called: only
    /// the one that takes the final answer, where there is one. A model that can't be told so sees
    /// no others.
    fn without_calls(&mut self, model: &SharedModel) -> (Definitions, ToolChoice) {
        let has_choice = model.capabilities().tool_choice;
        let seen = if has_choice {
            self.definitions.clone()
        } else {
            Definitions::default()
        };
        if let Some(shape) = &mut self.shape
            && let Some(tools) = shape.beside(&seen)
            && let Way::Tool(name) = &shape.way
        {
            let choice = if has_choice {
                ToolChoice::Tool(name.clone())
            } else {
                ToolChoice::Auto
            };
            return (tools, choice);
        }
        let choice = if has_choice {
            ToolChoice::None
        } else {
            ToolChoice::Auto
        };
        (seen, choice)
    }

    /// Cuts the transcript to what the model can read, before it is sent.
    fn make_room(
        &mut self,
        model: &SharedModel,
        request: &mut ModelRequest,
    ) -> Result<(), Stopped> {
        let Some(room) = self.room(model) else {
            return Ok(());
        };
        let definitions = &self.definitions;
        let size = || definitions_size(definitions);
        let fixed = tokens(request.system.len() + *self.tools_size.get_or_insert_with(size));
        let left = room.saturating_sub(fixed);
        if tokens(self.size) <= left {
            return Ok(());
        }
        self.cut_to(bytes(left));
        request.messages = self.request.messages.clone();
        let needed = fixed.saturating_add(tokens(self.size));
        if needed > room {
            return Err(Stopped::ContextOverflow {
                needed,
                available: room,
            });
        }
        Ok(())
    }

    /// Whether anything could be cut.
    fn cut_to(&mut self, most: usize) -> bool {
        let before = self.size;
        self.full
            .get_or_insert_with(|| self.request.messages.clone());
        self.size = fit(&mut self.request.messages, most);
        self.paired = 0;
        if self.size < before {
            self.warn(Warning::ContextTrimmed);
        }
        self.size < before
    }

    fn take(&mut self, mut answer: Answer, offer: Offer) -> Result<(), Stopped> {
        tell_apart(&mut answer.message);
        if answer.meta.finish == FinishReason::Length {
            self.warn(Warning::OutputCut);
        }
        let is_odd = |arguments: &str| !arguments.trim_start().starts_with('{');
        if answer
            .message
            .tool_calls()
            .any(|call| is_odd(&call.arguments) && crate::read::parse(&call.arguments).is_ok())
        {
            self.warn(Warning::ArgumentsRepaired);
        }
        let unknown = self.unknown(&answer, offer);
        self.metas.push(answer.meta);
        self.say(Message::Assistant(answer.message.clone()));
        self.steps.push(Step::asked(answer.message));
        match unknown {
            Some(text) if self.refuses_unknown() => Err(Stopped::InvalidRequest(text)),
            _ => Ok(()),
        }
    }

    fn refuses_unknown(&self) -> bool {
        !self.is_once && self.options.unknown_tools == UnknownTools::InvalidRequest
    }

    /// What is wrong with the first call whose tool was not offered; after a final step without
    /// tools no name is.
    fn unknown(&self, answer: &Answer, offer: Offer) -> Option<String> {
        if offer == Offer::Nothing {
            return None;
        }
        answer
            .message
            .tool_calls()
            .find(|call| !self.is_offered(&call.name))
            .map(|call| self.unknown_text(&call.name))
    }

    pub(super) fn is_offered(&self, name: &str) -> bool {
        let takes_output = matches!(
            self.shape.as_ref().map(|shape| &shape.way),
            Some(Way::Tool(tool)) if tool == name
        );
        takes_output || self.offered.iter().any(|tool| tool.name.as_str() == name)
    }

    pub(super) fn unknown_text(&self, name: &str) -> String {
        unknown_tool(name, self.offered.iter().map(|tool| tool.name.as_str()))
    }
}

/// Ids are how calls are told apart; a model of somebody's own may give one twice.
fn tell_apart(answer: &mut AssistantMessage) {
    let mut seen = HashSet::new();
    for part in &mut answer.parts {
        if let AssistantPart::ToolCall(call) = part
            && !seen.insert(call.id)
        {
            call.id = CallId::mint();
        }
    }
}
