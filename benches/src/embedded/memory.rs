//! What a program holds that embeds the loop and nothing else: a process of its own.

use std::process::Command;

use anyhow::Context as _;

use super::ours;
use super::provider::{Mode, Provider};
use crate::table::{About, Asked, Line, Table};

const TURNS: usize = 50;

pub(super) fn measure(table: &mut Table, provider: &Provider) -> anyhow::Result<()> {
    let program = std::env::current_exe()?;
    let output = command(&program)
        .args([super::MEMORY_CHILD, &provider.url(TURNS, 8)])
        .output()?;
    anyhow::ensure!(output.status.success(), "the child failed: {output:?}");
    let megabytes: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
    table.add(Line {
        work: "the most memory of an embedded loop of 50 streamed turns",
        measured: megabytes,
        unit: "MB",
        beside: None,
        ratio: None,
        about: About::Measured,
        asked: Some(Asked::AtMost(15.0)),
    });
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "memory is counted by process, so this program starts itself"
)]
fn command(program: &std::path::Path) -> Command {
    Command::new(program)
}

/// The child: runs the loop and prints the most memory that it held, in megabytes.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn child(url: &str) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (model, tools) = (ours::model(url)?, ours::tools(0)?);
    runtime.block_on(ours::run(&model, &tools, Mode::Streamed, TURNS))?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
        .context("the system does not tell a process's memory")?;
    println!("{}", kilobytes.trim().parse::<f64>()? * 1024.0 / 1e6);
    Ok(())
}
