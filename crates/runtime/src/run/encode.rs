//! A conversation as one language model may receive it. What restrictions keep from it is taken
//! out here, on the way out, and never in storage: the person sees it all.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolcrib::agent::step::{Step, StepCall};
use toolcrib::id::CallId;
use toolcrib::message::{AssistantMessage, AssistantPart, ToolCall};
use toolcrib_counter::model_text;
use toolcrib_data::records::{MARKER, Recipient, Withheld};

use super::state::{LoadedCall, LoadedRun, LoadedStep};

/// Encodes runs, in the order in which they were held, and notes what it takes out.
#[derive(Debug)]
pub(crate) struct Encoder<'a> {
    reader: Recipient<'a>,
    kept: Kept,
}

/// What was taken out.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// By call.
    pub(crate) calls: BTreeMap<CallId, Withheld>,
    /// All of its fields, as `model.field`.
    pub(crate) fields: BTreeSet<String>,
}

/// What a model was told in a turn: a long result is told once, and then named.
#[derive(Debug, Default)]
struct Told {
    calls: usize,
    /// Which call told a result first, by its text.
    first: HashMap<String, (usize, String)>,
}

/// A result of at most so many bytes is not longer than what names it.
const SHORT: usize = 160;

impl Told {
    /// Puts the name of an earlier result in place of the same one. One that is shown stays whole:
    /// the model speaks of what the person has before them.
    fn once(&mut self, call: &LoadedCall, encoded: &mut StepCall) {
        self.calls += 1;
        let Some(text) = &mut encoded.result else {
            return;
        };
        if text.is_error || call.row.shown || text.content.len() <= SHORT {
            return;
        }
        match self.first.get(&text.content) {
            Some((number, tool)) => {
                text.content = format!(
                    "The same result as that of call {number} of this turn ({tool}), above."
                );
            }
            None => {
                let name = (self.calls, call.row.tool.clone());
                self.first.insert(text.content.clone(), name);
            }
        }
    }
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(reader: Recipient<'a>) -> Self {
        Self {
            reader,
            kept: Kept::default(),
        }
    }

    /// What has been taken out.
    pub(crate) fn into_kept(self) -> Kept {
        self.kept
    }

    /// A run in the words of the step function, as the reader may receive it.
    pub(crate) fn run(&mut self, run: &LoadedRun) -> Vec<Step> {
        let mut told = Told::default();
        let mut steps = Vec::new();
        for step in &run.steps {
            let mut calls = Vec::new();
            for call in &step.calls {
                let mut encoded = self.call(run, call);
                told.once(call, &mut encoded);
                calls.push(encoded);
            }
            let answer = self.answer(step);
            steps.push(Step { answer, calls });
        }
        steps
    }

    fn call(&mut self, run: &LoadedRun, call: &LoadedCall) -> StepCall {
        let whole = run.step_call(call);
        if whole.result.is_none() {
            return whole;
        }
        let (text, withheld) = model_text(&call.row, &self.reader);
        if !withheld.is_empty() {
            let fields = withheld.fields().map(str::to_owned);
            self.kept.fields.extend(fields);
            self.kept.calls.insert(call.row.id, withheld);
        }
        StepCall {
            result: Some(text),
            ..whole
        }
    }

    /// What a model answered to results that were masked in the same way holds nothing of them.
    /// Another one, or the same one under other restrictions, may have written down what it saw.
    fn answer(&self, step: &LoadedStep) -> AssistantMessage {
        let answer = &step.row.answer.message;
        if self.kept.fields.is_subset(&step.row.withheld) {
            return answer.clone();
        }
        let mut parts = vec![AssistantPart::Text {
            text: format!("{MARKER} This answer may tell what is not for you to read."),
            provider: None,
        }];
        parts.extend(answer.tool_calls().map(|call| {
            AssistantPart::ToolCall(ToolCall {
                arguments: "{}".to_owned(),
                provider: None,
                ..call.clone()
            })
        }));
        AssistantMessage { parts }
    }
}
