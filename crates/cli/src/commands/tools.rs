use std::process::ExitCode;

use http::Method;
use serde_json::Value;

use super::tell;
use crate::args::Tools;
use crate::client::Client;

pub(crate) async fn run(arguments: Tools) -> anyhow::Result<ExitCode> {
    let client =
        Client::connect(&arguments.who.workspace.dir, arguments.who.email.as_deref()).await?;
    let answer = client.request(Method::GET, "/api/tools", None).await;
    client.close().await;
    let items = answer?.get("items").cloned().unwrap_or_default();
    if arguments.json {
        tell(serde_json::to_string_pretty(&items)?);
        return Ok(ExitCode::SUCCESS);
    }
    for tool in items.as_array().into_iter().flatten() {
        let text = |key: &str| tool.get(key).and_then(Value::as_str).unwrap_or_default();
        let asks = tool
            .get("requiresApproval")
            .and_then(Value::as_bool)
            .unwrap_or_default();
        tell(format_args!(
            "{:<20} {:<12} {}",
            text("name"),
            text("level"),
            if asks { "asks first" } else { "runs freely" }
        ));
    }
    Ok(ExitCode::SUCCESS)
}
