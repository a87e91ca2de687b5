//! What a model says in the tests, in words of no provider, and how what comes of it is looked at.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolcrib::id::CallId;
use toolcrib::model::{Answer, FinishReason, ModelEvent, Usage};

/// A part of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Text(String),
    Thought(String),
    Call {
        id: String,
        name: String,
        arguments: String,
    },
}

pub(crate) fn text(text: &str) -> Said {
    Said::Text(text.to_owned())
}

pub(crate) fn thought(text: &str) -> Said {
    Said::Thought(text.to_owned())
}

pub(crate) fn call(id: &str, name: &str, arguments: &str) -> Said {
    Said::Call {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    Limit,
    /// For a reason that nobody has heard of.
    Odd,
}

/// An answer in one provider's two shapes, with what is to come of both.
#[derive(Clone, Debug)]
pub(crate) struct Fixture {
    pub(crate) name: &'static str,
    pub(crate) stream: String,
    /// Some things can't be said in one piece.
    pub(crate) whole: Option<Value>,
    /// The parts as they are stored, calls with `call-1`, `call-2` for their ids.
    pub(crate) parts: Value,
    pub(crate) finish: FinishReason,
    pub(crate) usage: Option<Usage>,
}

/// Events of a stream, each under the name that its data gives it.
pub(crate) fn sse<'a>(events: impl IntoIterator<Item = &'a Value>) -> String {
    let event = |event: &Value| match event.get("type").and_then(Value::as_str) {
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    };
    events.into_iter().map(event).collect()
}

/// The beginning of a stream, up to the event that holds `told`.
pub(crate) fn until(stream: &str, told: &str) -> String {
    let at = stream.find(told).unwrap();
    let (begun, rest) = stream.split_at(at);
    let end = rest.find("\n\n").unwrap();
    format!("{begun}{}\n\n", rest.split_at(end).0)
}

/// A stream with other line ends, comments, and `ping` between its events.
pub(crate) fn noisy(stream: &str, ping: &str) -> String {
    let events = stream.split_terminator("\n\n");
    let noise = format!("\r\n\r\n: still here\r\n\r\n{ping}\n\n:\r\n");
    let events: Vec<String> = events.map(|event| event.replace('\n', "\r\n")).collect();
    format!(": hello\r\n{}\r\n\r\n", events.join(&noise))
}

/// Two pieces of about the same length.
pub(crate) fn halves(text: &str) -> [String; 2] {
    let middle = text.chars().count() / 2;
    [
        text.chars().take(middle).collect(),
        text.chars().skip(middle).collect(),
    ]
}

/// The parts of an answer as they are stored, with the calls' own ids counted.
pub(crate) fn parts(answer: &Answer) -> Value {
    let mut parts = serde_json::to_value(&answer.message.parts).unwrap();
    let calls = parts.as_array_mut().unwrap().iter_mut();
    let calls = calls.filter(|part| part["type"] == "tool_call");
    for (at, call) in calls.enumerate() {
        call["id"] = json!(format!("call-{}", at + 1));
    }
    parts
}

/// What was told on the way: text, thoughts, and the calls with their arguments.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) thoughts: String,
    pub(crate) calls: BTreeMap<CallId, (String, String)>,
    pub(crate) restarts: usize,
}

impl Told {
    pub(crate) fn hear(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::Text(delta) => self.text.push_str(&delta),
            ModelEvent::Reasoning(delta) => self.thoughts.push_str(&delta),
            ModelEvent::CallStarted { id, name } => {
                assert!(!self.calls.contains_key(&id), "a call begins once");
                self.calls.insert(id, (name, String::new()));
            }
            ModelEvent::CallArguments { id, delta } => {
                self.calls.get_mut(&id).unwrap().1.push_str(&delta);
            }
            ModelEvent::Restarted => {
                let restarts = self.restarts + 1;
                *self = Self {
                    restarts,
                    ..Self::default()
                };
            }
        }
    }

    /// Whether what was told is what the answer says.
    pub(crate) fn check(&self, answer: &Answer) {
        let message = &answer.message;
        let text = message.text() + message.refusal().unwrap_or_default();
        assert_eq!(self.text, text);
        let thoughts = parts(answer);
        let thoughts = thoughts.as_array().unwrap().iter();
        let thoughts = thoughts.filter(|part| part["type"] == "reasoning");
        let thoughts: String = thoughts.filter_map(|part| part["text"].as_str()).collect();
        assert_eq!(self.thoughts, thoughts);
        let calls = message.tool_calls();
        let calls = calls.map(|call| (call.id, (call.name.clone(), call.arguments.clone())));
        assert_eq!(self.calls, calls.collect());
    }
}
