//! Streaming: what the model says and what its calls come to, as it happens.

#[path = "support/model.rs"]
mod support;

use toolcrib::model::{ModelEvent, SharedModel};
use toolcrib::{Client, GenerateEvent, Request, ToolSet, tool};

/// Echoes the message back.
#[tool]
async fn echo(message: String) -> String {
    message
}

/// Asks the model and writes down what happens.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(echo)?;
    let mut log = String::new();
    let mut sink = |event| match event {
        GenerateEvent::StepStarted { step } => log.push_str(&format!("[step {step}] ")),
        GenerateEvent::Model(ModelEvent::Text(delta)) => log.push_str(&delta),
        GenerateEvent::Model(_) => {}
        GenerateEvent::Call {
            name,
            state,
            content,
            ..
        } => {
            log.push_str(&format!("[{name} {state}: {content}] "));
        }
    };
    let request = Request::from_prompt("Echo the word ping");
    Client::new()
        .generate_streaming(model, request, &tools, 5, &mut sink)
        .await?;
    Ok(log)
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
