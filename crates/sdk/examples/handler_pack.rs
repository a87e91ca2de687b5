//! A handler pack: one type lists several tools and runs them by name.

#[path = "support/model.rs"]
mod support;

use serde_json::{Map, Value};
use toolcrib::model::SharedModel;
use toolcrib::schema::{field, number, object};
use toolcrib::{
    Client, Handled, Request, ToolContext, ToolDefinition, ToolHandler, ToolResult, ToolSet,
};

struct Sums;

impl ToolHandler for Sums {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let two = || object([field("a", number()), field("b", number())]);
        [
            ToolSet::tool_definition("add_numbers", "Adds a and b.", two()),
            ToolSet::tool_definition("multiply_numbers", "Multiplies a by b.", two()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    async fn execute(&self, _: &ToolContext, name: &str, arguments: Map<String, Value>) -> Handled {
        let number = |name: &str| {
            arguments
                .get(name)
                .and_then(Value::as_f64)
                .unwrap_or_default()
        };
        let (a, b) = (number("a"), number("b"));
        match name {
            "add_numbers" => ToolResult::success(a + b).into(),
            "multiply_numbers" => ToolResult::success(a * b).into(),
            _ => Handled::NotMine,
        }
    }
}

/// Asks the model, which calls the tools and answers.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.use_handler(Sums)?;
    let request = Request::from_prompt("What is 2 plus 3, times 4?");
    let result = Client::new().generate(model, request, &tools, 5).await?;
    Ok(result.output())
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls("add_numbers", serde_json::json!({"a": 2, "b": 3})),
        Scripted::calls("multiply_numbers", serde_json::json!({"a": 5, "b": 4})),
        Scripted::says("It is 20."),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
