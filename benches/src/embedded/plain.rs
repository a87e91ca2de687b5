//! The same run by hand: no reading against a schema, no retries, no limits, no transcript but the
//! provider's own.

use futures_util::StreamExt as _;
use serde_json::{Value, json};

use super::cpu;
use super::provider::Mode;

/// Processor time of one step of a run, in milliseconds.
pub(super) fn step(url: &str, mode: Mode, turns: usize) -> anyhow::Result<f64> {
    // Setting up TLS is not a step's.
    let (url, http) = (format!("{url}/chat/completions"), http()?);
    let whole = cpu::time(move || async move { run(&http, &url, mode, turns).await })?;
    let steps = u32::try_from(turns + 1)?;
    Ok(whole / f64::from(steps))
}

#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

async fn run(http: &reqwest::Client, url: &str, mode: Mode, turns: usize) -> anyhow::Result<()> {
    let tools = json!([{"type": "function", "function": {"name": "add",
        "description": "Adds two numbers.", "parameters": {"type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"], "additionalProperties": false}}}]);
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    for step in 0.. {
        let mut body = json!({"model": "scripted", "messages": messages, "tools": tools});
        if mode == Mode::Streamed {
            body["stream"] = json!(true);
        }
        let response = http.post(url).body(body.to_string()).send().await?;
        let (text, calls) = match mode {
            Mode::Whole => whole(&serde_json::from_slice(&response.bytes().await?)?),
            Mode::Streamed => streamed(response).await?,
        };
        if calls.is_empty() {
            anyhow::ensure!(text.ends_with("42.") && step == turns, "not as scripted");
            break;
        }
        let asked: Vec<Value> = calls
            .iter()
            .map(|call| {
                json!({"id": call.id, "type": "function",
                "function": {"name": call.name, "arguments": call.arguments}})
            })
            .collect();
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": asked}));
        for call in calls {
            let input: Value = serde_json::from_str(&call.arguments)?;
            let number = |name: &str| input.get(name).and_then(Value::as_i64).unwrap_or_default();
            let sum = number("a") + number("b");
            messages
                .push(json!({"role": "tool", "tool_call_id": call.id, "content": sum.to_string()}));
        }
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "what is measured here is a loop without the guarded transport"
)]
fn http() -> reqwest::Result<reqwest::Client> {
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder().no_proxy().build()
}

fn text(value: &Value, pointer: &str) -> String {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn whole(answer: &Value) -> (String, Vec<Call>) {
    let calls = answer
        .pointer("/choices/0/message/tool_calls")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|call| Call {
            id: text(call, "/id"),
            name: text(call, "/function/name"),
            arguments: text(call, "/function/arguments"),
        })
        .collect();
    (text(answer, "/choices/0/message/content"), calls)
}

async fn streamed(response: reqwest::Response) -> anyhow::Result<(String, Vec<Call>)> {
    let (mut said, mut calls) = (String::new(), Vec::<Call>::new());
    let (mut stream, mut buffer) = (response.bytes_stream(), String::new());
    while let Some(bytes) = stream.next().await {
        buffer.push_str(std::str::from_utf8(&bytes?)?);
        while let Some(end) = buffer.find("\n\n") {
            let event: String = buffer.drain(..end + 2).collect();
            let Some(data) = event.trim().strip_prefix("data: ") else {
                continue;
            };
            if data == "[DONE]" {
                continue;
            }
            let chunk: Value = serde_json::from_str(data)?;
            said.push_str(&text(&chunk, "/choices/0/delta/content"));
            let deltas = chunk.pointer("/choices/0/delta/tool_calls");
            for delta in deltas.and_then(Value::as_array).into_iter().flatten() {
                let index = delta
                    .get("index")
                    .and_then(Value::as_u64)
                    .unwrap_or_default();
                let index = usize::try_from(index)?;
                while calls.len() <= index {
                    calls.push(Call::default());
                }
                if let Some(call) = calls.get_mut(index) {
                    call.id.push_str(&text(delta, "/id"));
                    call.name.push_str(&text(delta, "/function/name"));
                    call.arguments.push_str(&text(delta, "/function/arguments"));
                }
            }
        }
    }
    Ok((said, calls))
}
