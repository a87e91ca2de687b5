//! A named tool: defined where it is used, run by an executor callback.

#[path = "support/model.rs"]
mod support;

use toolcrib::model::SharedModel;
use toolcrib::schema::{field, object, string};
use toolcrib::{Client, Handled, NamedCall, Request, ToolResult, ToolSet};

/// Asks the model, which calls the tool and answers.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.register(
        "echo",
        "Echoes the message argument back unchanged.",
        object([field("message", string())]),
    )?;
    tools.add_executor(|call: NamedCall| async move {
        match call.name.as_str() {
            "echo" => ToolResult::success(call.arguments["message"].clone()).into(),
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
