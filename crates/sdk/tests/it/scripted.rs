use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use toolcrib::id::CallId;
use toolcrib::message::{AssistantMessage, AssistantPart, ToolCall};
use toolcrib::model::{
    Answer, AnswerMeta, FinishReason, Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest,
    ModelSink, Usage,
};
use toolcrib::{Tool, ToolContext, ToolResult, ToolSet};

/// A model that gives its answers in order, and keeps what it was asked.
#[derive(Clone, Default)]
pub(crate) struct Scripted {
    answers: Arc<Mutex<VecDeque<AssistantMessage>>>,
    pub(crate) requests: Arc<Mutex<Vec<ModelRequest>>>,
}

impl Scripted {
    pub(crate) fn new(answers: Vec<AssistantMessage>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into())),
            requests: Arc::default(),
        }
    }
}

impl Model for Scripted {
    fn provider(&self) -> &str {
        "scripted"
    }

    fn name(&self) -> &str {
        "scripted"
    }

    async fn respond(
        &self,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
        _: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        self.requests.lock().unwrap().push(request.clone());
        let message = self.answers.lock().unwrap().pop_front();
        let message = message.ok_or_else(|| {
            ModelError::new(
                "scripted",
                "scripted",
                ModelErrorKind::Invalid,
                "no answer left",
            )
        })?;
        sink.event(ModelEvent::Text(message.text()));
        let meta = AnswerMeta {
            model: "scripted".to_owned(),
            finish: FinishReason::Stop,
            usage: Some(Usage {
                input_tokens: Some(10),
                output_tokens: Some(2),
                ..Usage::default()
            }),
            request_id: None,
            latency_ms: 0,
            attempts: 1,
        };
        Ok(Answer { message, meta })
    }
}

pub(crate) fn says(text: &str) -> AssistantMessage {
    AssistantMessage {
        parts: vec![AssistantPart::Text {
            text: text.to_owned(),
        }],
    }
}

pub(crate) fn calls(list: &[(&str, &str)]) -> AssistantMessage {
    let call = |(name, arguments): &(&str, &str)| {
        AssistantPart::ToolCall(ToolCall {
            id: CallId::mint(),
            provider_id: None,
            name: (*name).to_owned(),
            arguments: (*arguments).to_owned(),
            cut: false,
        })
    };
    AssistantMessage {
        parts: list.iter().map(call).collect(),
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Echo {
    /// What to say back.
    pub(crate) message: String,
}

pub(crate) struct EchoTool;

impl Tool for EchoTool {
    type Input = Echo;

    fn name(&self) -> &str {
        "echo"
    }

    fn description(&self) -> &str {
        "Says the message back."
    }

    async fn call(&self, _: &ToolContext, input: Echo) -> ToolResult {
        match input.message.as_str() {
            "panic" => std::panic::resume_unwind(Box::new("on purpose")),
            "fail" => ToolResult::failure("I will not say that."),
            "abort" => ToolResult::Abort {
                reason: "enough".to_owned(),
            },
            _ => ToolResult::success(input.message),
        }
    }
}

pub(crate) fn tools() -> ToolSet {
    let mut tools = ToolSet::new();
    tools.add(EchoTool).unwrap();
    tools
}
