//! Approvals: a call waits for a person; the run is data meanwhile, and goes on later.

#[path = "support/model.rs"]
mod support;

use toolcrib::model::SharedModel;
use toolcrib::{Client, Paused, Request, ToolSet, Tools, tool};

/// Deletes an order.
#[tool]
async fn delete_order(id: u32) -> String {
    format!("Order {id} is gone.")
}

/// Asks the model; where a call waits, writes the run down, decides, and goes on with it.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut orders = ToolSet::new();
    orders.add(delete_order)?;
    let tools = orders.approval_required(|name| name == "delete_order");
    let client = Client::new();
    let request = Request::from_prompt("Delete the orders 7 and 8.");
    let mut result = client.generate(model, request, &tools, 5).await?;
    while let Some(paused) = result.paused() {
        let stored = serde_json::to_string(paused)?;
        // ... hours later, perhaps in another process:
        let mut paused: Paused = serde_json::from_str(&stored)?;
        for pending in paused.pending().to_vec() {
            if pending.call.arguments.contains(": 8") || pending.call.arguments.contains(":8") {
                paused.reject(pending.call.id, "Order 8 is still needed.")?;
            } else {
                paused.approve(pending.call.id)?;
            }
        }
        result = client.resume(model, paused, &tools).await?;
    }
    Ok(result.output())
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls_all([7, 8].map(|id| {
            let arguments = serde_json::json!({"id": id}).to_string();
            toolcrib::message::ToolCall::new("delete_order", arguments)
        })),
        Scripted::says("Order 7 is deleted; order 8 is still needed."),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
