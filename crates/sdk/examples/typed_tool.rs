//! A typed tool: the input is a type, and its docs are what the model reads.

#[path = "support/model.rs"]
mod support;

use schemars::JsonSchema;
use serde::Deserialize;
use toolcrib::model::SharedModel;
use toolcrib::{Client, Request, Tool, ToolContext, ToolResult, ToolSet};

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What to say back.
    message: String,
}

struct EchoTool;

impl Tool for EchoTool {
    type Input = Echo;

    fn name(&self) -> &str {
        "echo"
    }

    fn description(&self) -> &str {
        "Echoes the message back to the model."
    }

    async fn call(&self, _: &ToolContext, input: Echo) -> ToolResult {
        ToolResult::success(input.message)
    }
}

/// Asks the model, which calls the tool and answers.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(EchoTool)?;
    let request = Request::from_prompt("Echo the word ping");
    let result = Client::new().generate(model, request, &tools, 5).await?;
    Ok(result.output())
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls("echo", serde_json::json!({"message": "ping"})),
        Scripted::says("The echo tool returned: ping"),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
