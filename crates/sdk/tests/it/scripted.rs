use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use toolcrib::message::{Message, ToolCall, check_pairs};
use toolcrib::model::SharedModel;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, GenerateError, GenerateResult, Request, Tool, ToolContext, ToolResult, ToolSet,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Echo {
    /// What to say back.
    pub(crate) message: String,
}

/// Says the message back; some messages have other effects.
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

/// Asks for one echo.
pub(crate) fn echo(message: &str) -> Scripted {
    Scripted::calls("echo", serde_json::json!({ "message": message }))
}

/// Asks for several calls in one answer.
pub(crate) fn calls(list: &[(&str, &str)]) -> Scripted {
    Scripted::calls_all(list.iter().map(|(name, text)| ToolCall::new(*name, *text)))
}

pub(crate) async fn run(
    client: &Client,
    script: &ScriptedModel,
    tools: &impl toolcrib::Tools,
    max_steps: usize,
) -> Result<GenerateResult, GenerateError> {
    let model = SharedModel::new(script.clone());
    let outcome = client
        .generate(&model, Request::from_prompt("Go"), tools, max_steps)
        .await;
    let result = match &outcome {
        Ok(result) if result.is_waiting() => return outcome,
        Ok(result) => result,
        Err(error) => error.partial(),
    };
    check_pairs(result.messages()).unwrap();
    outcome
}

/// What the model read of its calls.
pub(crate) fn heard<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<(String, bool)> {
    let results = messages.into_iter().filter_map(|message| match message {
        Message::Tool(result) => Some((result.content.clone(), result.is_error)),
        Message::User { .. } | Message::Assistant(_) => None,
    });
    results.collect()
}

/// The schema of a tool that takes nothing.
pub(crate) fn nothing() -> Value {
    serde_json::json!({"type": "object", "properties": {}, "additionalProperties": false})
}
