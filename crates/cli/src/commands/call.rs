use std::process::ExitCode;

use anyhow::Context as _;
use http::Method;
use serde_json::{Map, Value, json};

use super::tell;
use crate::args::Call;
use crate::client::{Client, in_path};

pub(crate) async fn run(arguments: Call) -> anyhow::Result<ExitCode> {
    let input = input(&arguments)?;
    let client =
        Client::connect(&arguments.who.workspace.dir, arguments.who.email.as_deref()).await?;
    let path = format!("/api/tools/{}/call", in_path(&arguments.tool));
    let answer = client
        .request(
            Method::POST,
            &path,
            Some(&json!({"arguments": input, "trial": arguments.trial})),
        )
        .await;
    client.close().await;
    let call = answer?.get("call").cloned().unwrap_or_default();
    let text = |key: &str| call.get(key).and_then(Value::as_str).unwrap_or_default();
    if arguments.trial {
        tried(&call);
    }
    match text("status") {
        "succeeded" => {
            let output = call.get("output").unwrap_or(&Value::Null);
            tell(serde_json::to_string_pretty(output)?);
            Ok(ExitCode::SUCCESS)
        }
        "waiting" => {
            let id = call
                .pointer("/approval/id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            tell(format_args!(
                "Waiting for a decision: {}. It is on the Approvals page; its id is {id}.",
                text("title")
            ));
            Ok(ExitCode::SUCCESS)
        }
        status => {
            eprintln!("{status}: {}", text("error"));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Says, beside the result, what a trial would have changed.
fn tried(call: &Value) {
    let card = call.pointer("/trial/wouldChange");
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    match card.filter(|card| !card.is_null()) {
        None => eprintln!("A trial: nothing was changed."),
        Some(card) => {
            let title = text(card.get("title")).unwrap_or_default();
            eprintln!("A trial: nothing was changed. It would have been: {title}");
            let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned();
            for change in list(card, "changes").unwrap_or_default() {
                eprintln!("  {}", text(change.get("display")).unwrap_or_default());
                for field in list(&change, "fields").unwrap_or_default() {
                    let [label, before, after] = ["label", "before", "after"]
                        .map(|key| text(field.get(key)).unwrap_or_else(|| "(empty)".to_owned()));
                    eprintln!("    {label}: {before} -> {after}");
                }
            }
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
