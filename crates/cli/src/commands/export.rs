use std::fs::File;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use http::Method;
use serde_json::Value;

use super::tell;
use crate::args::Export;
use crate::client::Client;

/// Writes what was made in the web app as files. In the workspace folder a file then goes before what
/// it was written from. A file that is there already stays.
pub(crate) async fn run(arguments: Export) -> anyhow::Result<ExitCode> {
    let dir = &arguments.who.workspace.dir;
    let client = Client::connect(dir, arguments.who.email.as_deref()).await?;
    let answers = answers(&client).await;
    client.close().await;
    let (documents, rows) = answers?;
    let to = arguments.to.as_deref().unwrap_or(dir);
    let mut files = Vec::new();
    for item in items(&documents) {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        if let (Some(path), Some(content), Some("web")) =
            (text("path"), text("text"), text("origin"))
        {
            files.push((below(to, path)?, content));
        }
    }
    for row in items(&rows) {
        let text = |key: &str| row.get(key).and_then(Value::as_str);
        if let (Some(path), Some(content)) = (text("path"), text("text")) {
            files.push((below(to, path)?, content));
        }
    }
    // All of them, or none.
    if let Some((file, _)) = files.iter().find(|(file, _)| file.exists()) {
        bail!("{} is there already; nothing was written", file.display());
    }
    for (file, content) in &files {
        write_new(file, content)?;
        tell(file.display());
    }
    if files.is_empty() {
        tell("Nothing was made or set in the web app.");
    }
    Ok(ExitCode::SUCCESS)
}

/// What was made, and what was set of tools.
async fn answers(client: &Client) -> anyhow::Result<(Value, Value)> {
    let get = async |path| client.request(Method::GET, path, None).await;
    let documents = get("/api/workspace/documents").await?;
    Ok((documents, get("/api/workspace/rows").await?))
}

fn items(answer: &Value) -> impl Iterator<Item = &Value> {
    let items = answer.get("items").and_then(Value::as_array);
    items.into_iter().flatten()
}

fn write_new(file: &Path, content: &str) -> anyhow::Result<()> {
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
    }
    let writing = || format!("writing {}", file.display());
    let mut new = File::create_new(file).with_context(writing)?;
    new.write_all(content.as_bytes()).with_context(writing)
}

/// A path in a folder; none that leads out of it.
fn below(dir: &Path, path: &str) -> anyhow::Result<PathBuf> {
    let path = Path::new(path);
    let is_plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        bail!(
            "the server names {}, which is no path of a workspace",
            path.display()
        );
    }
    Ok(dir.join(path))
}
