use std::process::ExitCode;

use anyhow::Context as _;
use http::Method;
use serde_json::{Map, Value, json};

use crate::args::Call;
use crate::client::{Client, in_path};

pub(crate) async fn run(arguments: Call) -> anyhow::Result<ExitCode> {
    let input = input(&arguments)?;
    let client =
        Client::connect(&arguments.who.workspace.dir, arguments.who.email.as_deref()).await?;
    let path = format!("/api/tools/{}/call", in_path(&arguments.tool));
    let answer = client
        .request(Method::POST, &path, Some(&json!({"arguments": input})))
        .await;
    client.close().await;
    let call = answer?.get("call").cloned().unwrap_or_default();
    let text = |key: &str| call.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("status") {
        "succeeded" => {
            println!(
                "{}",
                serde_json::to_string_pretty(call.get("output").unwrap_or(&Value::Null))?
            );
            Ok(ExitCode::SUCCESS)
        }
        "waiting" => {
            let id = call
                .pointer("/approval/id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            println!(
                "Waiting for a decision: {}. It is on the Approvals page; its id is {id}.",
                text("title")
            );
            Ok(ExitCode::SUCCESS)
        }
        status => {
            eprintln!("{status}: {}", text("error"));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The arguments as one object.
fn input(arguments: &Call) -> anyhow::Result<Value> {
    if let Some(json) = &arguments.json {
        return serde_json::from_str(json).context("--json is one JSON object");
    }
    let mut map = Map::new();
    for pair in &arguments.arguments {
        let (name, value) = pair
            .split_once('=')
            .with_context(|| format!("--arg {pair}: write NAME=VALUE"))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        map.insert(name.to_owned(), value);
    }
    Ok(Value::Object(map))
}
