//! Calls a second with all that is written of them, beside plain commits on the same disk.

use std::time::{Duration, Instant};

use tokio_util::task::TaskTracker;

use crate::folder;
use crate::plain::Commits;
use crate::rounds::{ROUNDS, median, median_ratio, per_second};
use crate::table::{About, Asked, Line, Table};
use crate::tools::{Bench, READS, WRITES};

const TIME: Duration = Duration::from_millis(600);

/// A kind of call, and the calls a second of each round.
struct Kind {
    work: &'static str,
    tool: &'static str,
    callers: usize,
    asked: f64,
    seen: Vec<f64>,
}

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let bench = Bench::new(dir.path()).await?;
    let mut commits = Commits::new(dir.path()).await?;
    let kind = |work, tool, callers, asked| Kind {
        work,
        tool,
        callers,
        asked,
        seen: Vec::new(),
    };
    let mut kinds = [
        kind("calls of a reading tool, 1 caller", READS, 1, 0.8),
        kind("calls of a reading tool, 16 callers", READS, 16, 3.0),
        kind(
            "calls of a writing tool (a unit each), 1 caller",
            WRITES,
            1,
            0.8,
        ),
        kind(
            "calls of a writing tool (a unit each), 16 callers",
            WRITES,
            16,
            3.0,
        ),
    ];
    let mut plain = Vec::new();
    for _ in 0..ROUNDS {
        plain.push(commits.per_second(TIME).await?);
        for kind in &mut kinds {
            kind.seen
                .push(calls(&bench, kind.tool, kind.callers).await?);
        }
    }
    for kind in kinds {
        table.add(Line {
            work: kind.work,
            ratio: Some(median_ratio(&kind.seen, &plain)),
            measured: median(kind.seen),
            unit: "/s",
            beside: Some(("plain commits, one connection", median(plain.clone()))),
            about: About::Ratio,
            asked: Some(Asked::AtLeast(kind.asked)),
        });
    }
    Ok(())
}

async fn calls(bench: &Bench, tool: &'static str, callers: usize) -> anyhow::Result<f64> {
    let tasks = TaskTracker::new();
    let begin = Instant::now();
    let running: Vec<_> = (0..callers)
        .map(|_| {
            let bench = bench.clone();
            tasks.spawn(async move {
                let mut count = 0;
                while begin.elapsed() < TIME {
                    bench.call(tool).await?;
                    count += 1;
                }
                anyhow::Ok(count)
            })
        })
        .collect();
    let mut count: u32 = 0;
    for caller in running {
        count += caller.await??;
    }
    Ok(per_second(count, begin.elapsed()))
}
