//! Calls a second with all that is written of them, beside plain commits on the same disk.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio_util::task::TaskTracker;

use crate::folder;
use crate::plain::{Commits, Row};
use crate::rounds::{median, median_ratio, per_second};
use crate::table::{About, Asked, Line, Table};
use crate::tools::{Bench, READS, WRITES};

/// Many short rounds: a disk that others use too is not the same for long.
const ROUNDS: usize = 15;
const TIME: Duration = Duration::from_millis(200);
const CALLERS: usize = 16;
/// What each kind is compared with: the least that storing a call can be.
const PLAIN: &str = "one INSERT of a call's row and one commit, one connection";

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let bench = Bench::new(dir.path()).await?;
    let plain = one_caller(table, &bench, dir.path()).await?;
    many_callers(table, &bench, plain).await
}

/// One caller at a time. These are not mixed with many callers, after whom the disk is slow for a
/// while, and take turns in being first. Answers with the plain commits a second.
async fn one_caller(table: &mut Table, bench: &Bench, dir: &Path) -> anyhow::Result<f64> {
    let mut row = Commits::new(dir, Row::Call).await?;
    let mut small = Commits::new(dir, Row::Small).await?;
    let mut seen = [const { Vec::new() }; 4];
    for round in 0..=ROUNDS {
        for turn in 0..seen.len() {
            let which = (round + turn) % seen.len();
            let rate = match which {
                0 => row.per_second(TIME).await?,
                1 => small.per_second(TIME).await?,
                2 => calls(bench, READS, 1).await?,
                _ => calls(bench, WRITES, 1).await?,
            };
            // The first round warms up.
            if let Some(seen) = seen.get_mut(which).filter(|_| round > 0) {
                seen.push(rate);
            }
        }
    }
    let [row, small, reads, writes] = seen;
    let plain = median(row.clone());
    let mut add = |work, seen: Vec<f64>, asked| {
        table.add(Line {
            work,
            ratio: Some(median_ratio(&seen, &row)),
            measured: median(seen),
            unit: "/s",
            beside: Some((PLAIN, plain)),
            about: About::Ratio,
            asked,
        });
    };
    add("plain commits of two columns, no indices", small, None);
    let asked = Some(Asked::AtLeast(0.8));
    add("calls of a reading tool, 1 caller", reads, asked);
    add(
        "calls of a writing tool (a unit each), 1 caller",
        writes,
        None,
    );
    Ok(plain)
}

async fn many_callers(table: &mut Table, bench: &Bench, plain: f64) -> anyhow::Result<()> {
    let asked = Some(Asked::AtLeast(3.0));
    for (work, tool, asked) in [
        ("calls of a reading tool, 16 callers", READS, asked),
        (
            "calls of a writing tool (a unit each), 16 callers",
            WRITES,
            None,
        ),
    ] {
        let mut seen = Vec::new();
        for _ in 0..ROUNDS {
            seen.push(calls(bench, tool, CALLERS).await?);
        }
        let measured = median(seen);
        table.add(Line {
            work,
            measured,
            unit: "/s",
            beside: Some((PLAIN, plain)),
            ratio: Some(measured / plain),
            about: About::Ratio,
            asked,
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
