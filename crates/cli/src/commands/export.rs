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
    let answer = client
        .request(Method::GET, "/api/workspace/documents", None)
        .await;
    client.close().await;
    let answer = answer?;
    let to = arguments.to.as_deref().unwrap_or(dir);
    let mut written = 0;
    let items = answer.get("items").and_then(Value::as_array);
    for item in items.into_iter().flatten() {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let (Some(path), Some(content), Some("web")) = (text("path"), text("text"), text("origin"))
        else {
            continue;
        };
        let file = below(to, path)?;
        if file.exists() {
            bail!(
                "{} is there already; nothing was written over it",
                file.display()
            );
        }
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("making {}", parent.display()))?;
        }
        std::fs::write(&file, content).with_context(|| format!("writing {}", file.display()))?;
        tell(file.display());
        written += 1;
    }
    if written == 0 {
        tell("Nothing was made in the web app.");
    }
    Ok(ExitCode::SUCCESS)
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
