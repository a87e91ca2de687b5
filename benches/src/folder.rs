//! Folders on the disk that the program was built on: a folder in memory would flatter.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tempfile::TempDir;

/// The folder of the release programs.
pub(crate) fn programs() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let dir = own.parent().context("this program stands in no folder")?;
    Ok(dir.to_owned())
}

/// A new folder that is gone with its value.
pub(crate) fn new() -> anyhow::Result<TempDir> {
    let programs = programs()?;
    let target = programs.parent().unwrap_or(Path::new("."));
    let dir = target.join("bench-tmp");
    std::fs::create_dir_all(&dir)?;
    Ok(tempfile::tempdir_in(dir)?)
}
