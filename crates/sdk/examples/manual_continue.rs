//! One model call at a time: the loop is yours.

#[path = "support/model.rs"]
mod support;

use toolcrib::model::SharedModel;
use toolcrib::{Client, Request, ToolContext, ToolResult, ToolSet, tool};

/// Echoes the message back.
#[tool]
async fn echo(message: String) -> String {
    message
}

/// Asks the model, runs what it asks for, and asks it again.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(echo)?;
    let client = Client::new();
    let mut request = Request::from_prompt("Use the echo tool");
    request.set_tools(&tools);
    request.ensure_messages_from_prompt();

    let mut result = client.generate_once(model, &request).await?;
    while result.has_tool_calls() {
        request.append_assistant_tool_calls(result.output(), result.tool_calls());
        for call in result.tool_calls() {
            let content = match tools
                .execute(&call.name, &call.arguments, &ToolContext::new())
                .await?
            {
                ToolResult::Success { output, .. } => ToolResult::output_text(&output),
                other => format!("{other:?}"),
            };
            request.append_tool_result(call.id, call.name, content);
        }
        result = client.generate_once(model, &request).await?;
    }
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
