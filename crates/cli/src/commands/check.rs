use std::process::ExitCode;

use toolcrib_runtime::Workspace;

use crate::args::Check;
use crate::config::Config;
use crate::settings::connections;

pub(crate) fn run(arguments: &Check) -> anyhow::Result<ExitCode> {
    let dir = &arguments.workspace.dir;
    if !dir.is_dir() {
        anyhow::bail!("there is no folder {}", dir.display());
    }
    let config = Config::read(dir)?;
    let connections = connections(dir, &config)?;
    let workspace = Workspace::load(dir, &connections.databases())?;
    for warning in &workspace.warnings {
        eprintln!("warning: {warning}");
    }
    let models = workspace.catalog.models().count();
    println!(
        "{} is sound: {models} data models, {} agents, {} saved queries.",
        dir.display(),
        workspace.agents.len(),
        workspace.queries.all().count()
    );
    Ok(ExitCode::SUCCESS)
}
