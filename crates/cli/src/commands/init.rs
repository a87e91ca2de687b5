use std::process::ExitCode;

use anyhow::{Context as _, bail};
use toolcrib_data::records::sample;

use crate::args::Init;
use crate::config;

pub(crate) fn run(arguments: &Init) -> anyhow::Result<ExitCode> {
    let dir = &arguments.dir;
    std::fs::create_dir_all(dir).with_context(|| format!("making {}", dir.display()))?;
    if std::fs::read_dir(dir)?.next().is_some() {
        bail!("{} is not empty; name another folder", dir.display());
    }
    let files = sample::FILES
        .iter()
        .copied()
        .chain([("toolcrib.toml", config::DEFAULT)]);
    for (name, text) in files {
        let path = dir.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    // The mark by which the first start fills the shop with records.
    std::fs::create_dir_all(dir.join("data"))?;
    std::fs::write(dir.join("data").join("sample"), "")?;
    println!(
        "{} holds a workspace now. Serve it with `toolcrib serve --dir {0}`.",
        dir.display()
    );
    Ok(ExitCode::SUCCESS)
}
