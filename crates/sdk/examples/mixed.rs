//! Typed and named tools in one set, another set under a prefix beside them.

#[path = "support/model.rs"]
mod support;

use toolcrib::model::SharedModel;
use toolcrib::schema::{field, object, string};
use toolcrib::{Client, Handled, NamedCall, Request, ToolResult, ToolSet, Tools, tool};

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn shop() -> anyhow::Result<ToolSet> {
    let mut tools = ToolSet::new();
    tools.register(
        "price",
        "Tells what a thing costs.",
        object([field("thing", string())]),
    )?;
    tools.add_executor(|call: NamedCall| async move {
        match call.name.as_str() {
            "price" => {
                ToolResult::success(call.arguments["thing"].as_str().map_or(0, str::len)).into()
            }
            _ => Handled::NotMine,
        }
    });
    Ok(tools)
}

/// Asks the model, which calls tools of both kinds and answers.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(add)?;
    tools.include(shop()?.prefixed("shop_")?.limited(10))?;
    let request = Request::from_prompt("What do a hat and a coat cost together?");
    let result = Client::new().generate(model, request, &tools, 5).await?;
    Ok(result.output())
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls("shop_price", serde_json::json!({"thing": "hat"})),
        Scripted::calls("shop_price", serde_json::json!({"thing": "coat"})),
        Scripted::calls("add", serde_json::json!({"a": 3, "b": 4})),
        Scripted::says("They cost 7."),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
