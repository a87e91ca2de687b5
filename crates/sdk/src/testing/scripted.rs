use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::message::{AssistantMessage, AssistantPart, ToolCall};
use crate::model::{
    Answer, Capabilities, FinishReason, Model, ModelError, ModelErrorKind, ModelEvent,
    ModelRequest, ModelSink, Usage,
};

/// One thing that the model does when it is asked.
///
/// Played by a [`ScriptedModel`], which shows it.
#[derive(Clone, Debug)]
pub struct Scripted(Act);

#[derive(Clone, Debug)]
enum Act {
    Answer(Box<Answer>),
    Fail(ModelErrorKind),
    /// Answers never; a stop ends it.
    Hang,
}

impl Scripted {
    /// Says a text.
    #[must_use]
    pub fn says(text: impl Into<String>) -> Self {
        Self::answers(AssistantMessage::says(text))
    }

    /// Asks for one tool.
    #[must_use]
    pub fn calls(name: impl Into<String>, arguments: impl Into<Value>) -> Self {
        Self::calls_all([ToolCall::new(name, arguments.into().to_string())])
    }

    /// Asks for several calls in one answer.
    #[must_use]
    pub fn calls_all(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self::answers(AssistantMessage {
            parts: calls.into_iter().map(AssistantPart::ToolCall).collect(),
        })
    }

    /// Gives this answer.
    #[must_use]
    pub fn answers(message: AssistantMessage) -> Self {
        let mut answer = Answer::new(message, "scripted");
        answer.meta.usage = Some(Usage {
            input_tokens: Some(10),
            output_tokens: Some(2),
            cached_tokens: Some(4),
            reasoning_tokens: Some(1),
        });
        answer.meta.request_id = Some("scripted-request".to_owned());
        Self(Act::Answer(Box::new(answer)))
    }

    /// Gives an answer with facts of its own.
    #[must_use]
    pub fn answers_as(answer: Answer) -> Self {
        Self(Act::Answer(Box::new(answer)))
    }

    /// Fails.
    #[must_use]
    pub fn fails(kind: ModelErrorKind) -> Self {
        Self(Act::Fail(kind))
    }

    /// Never answers; only a stop ends it.
    #[must_use]
    pub fn hangs() -> Self {
        Self(Act::Hang)
    }

    /// Says why it stopped.
    #[must_use]
    pub fn finishing(mut self, reason: FinishReason) -> Self {
        if let Act::Answer(answer) = &mut self.0 {
            answer.meta.finish = reason;
        }
        self
    }
}

/// A language model that does what it is told, in order, and keeps what it was asked. After its
/// last act it fails.
///
/// ```
/// use serde_json::json;
/// use toolcrib::model::SharedModel;
/// use toolcrib::testing::{Scripted, ScriptedModel};
/// use toolcrib::{Client, Request, ToolSet, tool_fn};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Echo { message: String }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let script = ScriptedModel::new([
///     Scripted::calls("echo", json!({"message": "ping"})),
///     Scripted::says("It said ping."),
/// ]);
/// let mut tools = ToolSet::new();
/// tools.add(tool_fn("echo", "Says it back.", |input: Echo| async move { input.message }))?;
/// let model = SharedModel::new(script.clone());
/// let result = Client::new().generate(&model, Request::from_prompt("Echo ping"), &tools, 5).await?;
/// assert_eq!(result.output(), "It said ping.");
/// assert_eq!(script.requests().len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel {
    acts: Arc<Mutex<VecDeque<Scripted>>>,
    requests: Arc<Mutex<Vec<ModelRequest>>>,
    capabilities: Capabilities,
}

impl ScriptedModel {
    /// A model with a script.
    #[must_use]
    pub fn new(acts: impl IntoIterator<Item = Scripted>) -> Self {
        Self {
            acts: Arc::new(Mutex::new(acts.into_iter().collect())),
            ..Self::default()
        }
    }

    /// A model that can do this and no more.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// How many acts are left.
    #[must_use]
    pub fn acts_left(&self) -> usize {
        self.acts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    fn next(&self) -> Option<Scripted> {
        self.acts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    }
}

fn failure(kind: ModelErrorKind, body: &str) -> ModelError {
    ModelError::new("scripted", "scripted", kind, body)
}

impl Model for ScriptedModel {
    fn provider(&self) -> &str {
        "scripted"
    }

    fn name(&self) -> &str {
        "scripted"
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    async fn respond(
        &self,
        request: &ModelRequest,
        sink: &mut dyn ModelSink,
        cancel: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(request.clone());
        match self.next().map(|scripted| scripted.0) {
            Some(Act::Answer(answer)) => {
                tell(&answer.message, sink);
                Ok(*answer)
            }
            Some(Act::Fail(kind)) => Err(failure(kind, "as scripted")),
            Some(Act::Hang) => {
                cancel.cancelled().await;
                Err(failure(ModelErrorKind::Cancelled, ""))
            }
            None => Err(failure(
                ModelErrorKind::Invalid,
                "the script has no act left",
            )),
        }
    }
}

fn tell(message: &AssistantMessage, sink: &mut dyn ModelSink) {
    for part in &message.parts {
        match part {
            AssistantPart::Text { text, .. } | AssistantPart::Refusal { text } => {
                for word in text.split_inclusive(' ') {
                    sink.event(ModelEvent::Text(word.to_owned()));
                }
            }
            AssistantPart::Reasoning { text, .. } => {
                sink.event(ModelEvent::Reasoning(text.clone()));
            }
            AssistantPart::ToolCall(call) => {
                sink.event(ModelEvent::CallStarted {
                    id: call.id,
                    name: call.name.clone(),
                });
                sink.event(ModelEvent::CallArguments {
                    id: call.id,
                    delta: call.arguments.clone(),
                });
            }
        }
    }
}
