//! The shop's agent with a real, small language model. What is asserted is structure, never words.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use toolcrib::id::ConversationId;

use crate::server::{Server, command, run};

/// The program that serves the model: named by the environment, or beside the project.
#[expect(
    clippy::disallowed_methods,
    reason = "the check takes the program's path from the environment"
)]
fn program() -> Option<PathBuf> {
    let beside =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/local-model/local-model");
    let path = std::env::var_os("TOOLCRIB_LOCAL_MODEL").map_or(beside, PathBuf::from);
    path.exists().then_some(path)
}

/// Starts the model; none when it can't be had.
#[expect(
    clippy::disallowed_methods,
    reason = "the model's server is started here"
)]
async fn start(program: &Path) -> Option<(Child, String, String)> {
    let mut child = Command::new(program)
        .env("LOCAL_MODEL", "0.5b")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .ok()?;
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    let mut found = (None, None);
    let reading = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some(url) = line.strip_prefix("LOCAL_MODEL_BASE_URL=") {
                found.0 = Some(url.to_owned());
            }
            if let Some(name) = line.strip_prefix("LOCAL_MODEL_NAME=") {
                found.1 = Some(name.to_owned());
            }
            if found.0.is_some() && found.1.is_some() {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(600), reading)
        .await
        .ok()?;
    Some((child, found.0?, found.1?))
}

/// Leaves the agent the tools that fit into a small model's attention: the schemas of queries alone
/// are longer than all the others. And no chance: at other temperatures now and then it rambles on
/// until its answer is cut off.
async fn keep_few_tools(dir: &Path) {
    let (code, _, errors) = run(dir, &["init", dir.to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    let file = dir.join("agents/shop.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text
        .replace("  - query_records\n", "")
        .replace("  - show_data\n", "")
        .replacen("---\n", "---\ntemperature: 0\n", 1);
    std::fs::write(file, text).unwrap();
}

#[tokio::test]
async fn local_model_calls_a_tool_of_the_shop_and_answers() {
    let skipped =
        "SKIPPED: the local language model can't be had; the agent was not tried with a real one";
    let Some(program) = program() else {
        eprintln!("{skipped} (no program; name it by TOOLCRIB_LOCAL_MODEL)");
        return;
    };
    let Some((mut model, base_url, name)) = start(&program).await else {
        eprintln!("{skipped} (it did not start)");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    keep_few_tools(dir.path()).await;
    let mut serve = command(dir.path(), &["serve", "--listen", "127.0.0.1:0"]);
    serve
        .env("TOOLCRIB_MODEL_BASE_URL", base_url)
        .env("TOOLCRIB_MODEL_NAME", name)
        .env("TOOLCRIB_MODEL_FORCE_TOOL", "read_record")
        .env("TOOLCRIB_MODEL_TIMEOUT_SECONDS", "900");
    let server = Server::spawn(serve).await;
    let client = server.client(dir.path(), "mona@shop.test").await;
    let id = ConversationId::mint().to_string();
    let chunks = client
        .chat("shop", &id, "Read the order with id 1.")
        .await
        .unwrap();
    let kind = |chunk: &Value| chunk["type"].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        chunks.last().map(kind).as_deref(),
        Some("finish"),
        "{:?}",
        chunks.last()
    );
    let (_, calls) = client.get("/api/calls?tool=read_record").await.unwrap();
    let call = calls["items"].as_array().unwrap().last().cloned().unwrap();
    assert_eq!(call["via"], json!("chat"));
    assert!(
        call["arguments"].is_object(),
        "the arguments are JSON: {call}"
    );
    let settled = client.settled(&id).await.unwrap();
    assert_eq!(settled["state"], json!("idle"));
    let parts = settled
        .pointer("/messages/1/parts")
        .and_then(Value::as_array)
        .unwrap();
    for part in parts
        .iter()
        .filter(|part| part["type"] == json!("dynamic-tool"))
    {
        let state = part["state"].as_str().unwrap();
        assert!(
            state.starts_with("output-"),
            "every call has an ending: {part}"
        );
    }
    assert!(server.terminate().await);
    model.kill().await.unwrap();
}
