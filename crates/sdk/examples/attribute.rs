//! A function as a tool: the attribute makes name, description and input of it.

#[path = "support/model.rs"]
mod support;

use toolcrib::model::SharedModel;
use toolcrib::{Client, Request, ToolSet, tool};

/// Adds two numbers.
#[tool(read_only)]
async fn add(
    /// The first number.
    a: f64,
    /// The second number.
    b: f64,
) -> f64 {
    a + b
}

/// Asks the model, which calls the tool and answers.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(add)?;
    let request = Request::from_prompt("What is 2 plus 3?");
    let result = Client::new().generate(model, request, &tools, 5).await?;
    Ok(result.output())
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls("add", serde_json::json!({"a": 2, "b": 3})),
        Scripted::says("2 plus 3 is 5."),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
