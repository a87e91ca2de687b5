//! A definition object: the tool comes as JSON, from a file or another service.

#[path = "support/model.rs"]
mod support;

use serde_json::json;
use toolcrib::model::SharedModel;
use toolcrib::{Client, Handled, NamedCall, Request, ToolResult, ToolSet};

/// Asks the model, which calls the tool and answers.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(json!({
        "name": "echo",
        "description": "Echoes the message argument back unchanged.",
        "parameters": {
            "type": "object",
            "properties": {"message": {"type": "string"}},
            "required": ["message"],
        },
    }))?;
    tools.add_executor(|call: NamedCall| async move {
        match call.arguments.get("message") {
            Some(message) if call.name == "echo" => ToolResult::success(message.clone()).into(),
            _ => Handled::NotMine,
        }
    });
    let request = Request::from_prompt("Echo the word ping");
    let result = Client::new().generate(model, request, &tools, 5).await?;
    Ok(result.output())
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls("echo", serde_json::json!({"message": "ping"})),
        Scripted::says("It said ping."),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
