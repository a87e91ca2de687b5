use std::process::ExitCode;

use toolcrib_runtime::Workspace;

use crate::args::Check;
use crate::config::Config;

pub(crate) fn run(arguments: &Check) -> anyhow::Result<ExitCode> {
    let dir = &arguments.workspace.dir;
    if !dir.is_dir() {
        anyhow::bail!("there is no folder {}", dir.display());
    }
    Config::read(dir)?;
    let workspace = Workspace::load(dir)?;
    let models = workspace.catalog.models().count();
    println!(
        "{} is sound: {models} data models, {} agents, {} saved queries.",
        dir.display(),
        workspace.agents.len(),
        workspace.queries.all().count()
    );
    Ok(ExitCode::SUCCESS)
}
