use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use toolcrib_data::records::sync;
use toolcrib_runtime::{Workspace, model_files};

use crate::args::{Models, ModelsCommand, Sync};
use crate::config::Config;
use crate::settings::connections;

pub(crate) async fn run(models: Models) -> anyhow::Result<ExitCode> {
    match models.command {
        ModelsCommand::Sync(arguments) => synchronize(&arguments).await,
    }
}

/// Takes up what is new in a connection's database, and tells what is different.
async fn synchronize(arguments: &Sync) -> anyhow::Result<ExitCode> {
    let dir = &arguments.workspace.dir;
    if !dir.is_dir() {
        bail!("there is no folder {}", dir.display());
    }
    let config = Config::read(dir)?;
    let all = connections(dir, &config)?;
    let name = &arguments.connection;
    if all.config(name).is_none() {
        let known: Vec<&str> = all.configs().map(|config| config.name.as_str()).collect();
        let known = if known.is_empty() {
            "there is none yet: add [connections.NAME] to toolcrib.toml".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        bail!("unknown connection {name}: {known}");
    }
    let workspace = Workspace::load(dir, &all.databases())?;
    let tables = all.introspect(name).await?;
    let synced = sync(name, &tables, &model_files(dir), &workspace.catalog);
    if !arguments.dry_run {
        for file in &synced.files {
            write(&dir.join(&file.path), &file.text)?;
        }
    }
    let mut told: Vec<String> = synced.notes.iter().map(ToString::to_string).collect();
    if told.is_empty() {
        told.push(format!("Nothing has changed: {} tables.", tables.len()));
    }
    // Who reads no further, as `head` does, has read enough.
    drop(writeln!(std::io::stdout(), "{}", told.join("\n")));
    Ok(ExitCode::SUCCESS)
}

/// Whole or not at all.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let trouble = || format!("writing {}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).with_context(trouble)?;
    }
    let part = path.with_extension("part");
    std::fs::write(&part, text).with_context(trouble)?;
    std::fs::rename(&part, path).with_context(trouble)
}
