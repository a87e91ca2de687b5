use std::process::ExitCode;

use http::Method;
use serde_json::{Value, json};

use crate::args::{Token, TokenCommand};
use crate::client::Client;

pub(crate) async fn run(arguments: Token) -> anyhow::Result<ExitCode> {
    match arguments.command {
        TokenCommand::Create {
            name,
            attended,
            scopes,
            who,
        } => {
            let client = Client::connect(&who.workspace.dir, who.email.as_deref()).await?;
            let body = json!({"name": name, "attended": attended, "scopes": scopes});
            let answer = client
                .request(Method::POST, "/api/tokens", Some(&body))
                .await;
            client.close().await;
            println!(
                "{}",
                answer?
                    .get("secret")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
