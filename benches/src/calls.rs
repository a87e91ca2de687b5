//! Calls a second with all that is written of them, beside plain commits on the same disk.

use std::time::{Duration, Instant};

use tokio_util::task::TaskTracker;

use crate::folder;
use crate::plain::{Commits, Row};
use crate::rounds::{ROUNDS, median, median_ratio, per_second};
use crate::table::{About, Asked, Line, Table};
use crate::tools::{Bench, READS, WRITES};

const TIME: Duration = Duration::from_millis(600);

/// What each kind is compared with: the least that storing a call can be.
const PLAIN: &str = "one INSERT of a call's row and one commit, one connection";

/// A kind of call, and the calls a second of each round.
struct Kind {
    work: &'static str,
    tool: &'static str,
    callers: usize,
    asked: Option<f64>,
    seen: Vec<f64>,
}

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let bench = Bench::new(dir.path()).await?;
    let mut row = Commits::new(dir.path(), Row::Call).await?;
    let mut small = Commits::new(dir.path(), Row::Small).await?;
    let kind = |work, tool, callers, asked| Kind {
        work,
        tool,
        callers,
        asked,
        seen: Vec::new(),
    };
    let mut kinds = [
        kind("calls of a reading tool, 1 caller", READS, 1, Some(0.8)),
        kind("calls of a reading tool, 16 callers", READS, 16, Some(3.0)),
        kind(
            "calls of a writing tool (a unit each), 1 caller",
            WRITES,
            1,
            None,
        ),
        kind(
            "calls of a writing tool (a unit each), 16 callers",
            WRITES,
            16,
            None,
        ),
    ];
    let (mut rows, mut smalls) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        smalls.push(small.per_second(TIME).await?);
        rows.push(row.per_second(TIME).await?);
        for kind in &mut kinds {
            kind.seen
                .push(calls(&bench, kind.tool, kind.callers).await?);
        }
    }
    table.add(Line {
        work: "plain commits of a row with two columns, no indices",
        ratio: Some(median_ratio(&smalls, &rows)),
        measured: median(smalls),
        unit: "/s",
        beside: Some((PLAIN, median(rows.clone()))),
        about: About::Measured,
        asked: None,
    });
    for kind in kinds {
        table.add(Line {
            work: kind.work,
            ratio: Some(median_ratio(&kind.seen, &rows)),
            measured: median(kind.seen),
            unit: "/s",
            beside: Some((PLAIN, median(rows.clone()))),
            about: About::Ratio,
            asked: kind.asked.map(Asked::AtLeast),
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
