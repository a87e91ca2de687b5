//! What the loop of the embedded crate costs, beside a plain loop that does the same by hand with
//! nothing but an HTTP client and a JSON library.
//!
//! Each loop runs on a thread of its own, whose processor time is read before and after: what the
//! provider takes, on another thread, does not count.

mod cpu;
mod memory;
mod ours;
mod plain;
mod provider;

use crate::rounds::{ROUNDS, median, median_ratio};
use crate::table::{About, Asked, Line, Table};
use provider::{Mode, Provider};

pub(crate) use memory::child;

/// The argument that makes the program the child whose memory is read.
pub(crate) const MEMORY_CHILD: &str = "embedded-memory-child";

struct Case {
    work: &'static str,
    mode: Mode,
    turns: usize,
    most: f64,
}

const CASES: [Case; 2] = [
    Case {
        work: "a step of the embedded loop, 10 turns in one piece",
        mode: Mode::Whole,
        turns: 10,
        most: 0.30,
    },
    Case {
        work: "a step of the embedded loop, 50 streamed turns",
        mode: Mode::Streamed,
        turns: 50,
        most: 0.60,
    },
];

pub(crate) fn measure(table: &mut Table) -> anyhow::Result<()> {
    let provider = Provider::start()?;
    let one = ours::tools(0)?;
    for case in CASES {
        let (mut own, mut beside) = (Vec::new(), Vec::new());
        // The first round warms up.
        for round in 0..=ROUNDS {
            let url = provider.url(case.turns, 8);
            let (ours, plain) = (
                ours::step(&url, case.mode, case.turns, &one)?,
                plain::step(&url, case.mode, case.turns)?,
            );
            if round > 0 {
                own.push(ours);
                beside.push(plain);
            }
        }
        table.add(Line {
            work: case.work,
            ratio: Some(median_ratio(&own, &beside)),
            measured: median(own),
            unit: "ms of processor",
            beside: Some(("a plain loop", median(beside))),
            about: About::Measured,
            asked: Some(Asked::AtMost(case.most)),
        });
    }
    history(table, &provider)?;
    tools(table, &provider)?;
    deltas(table, &provider)?;
    memory::measure(table, &provider)
}

fn pairs(
    mut left: impl FnMut() -> anyhow::Result<f64>,
    mut right: impl FnMut() -> anyhow::Result<f64>,
) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let (one, other) = (left()?, right()?);
        if round > 0 {
            lefts.push(one);
            rights.push(other);
        }
    }
    Ok((lefts, rights))
}

fn history(table: &mut Table, provider: &Provider) -> anyhow::Result<()> {
    let one = ours::tools(0)?;
    let (long, short) = pairs(
        || ours::step(&provider.url(200, 8), Mode::Whole, 200, &one),
        || ours::step(&provider.url(20, 8), Mode::Whole, 20, &one),
    )?;
    table.add(Line {
        work: "a step of 200 turns",
        ratio: Some(median_ratio(&long, &short)),
        measured: median(long),
        unit: "ms of processor",
        beside: Some(("a step of 20 turns", median(short))),
        about: About::Ratio,
        asked: Some(Asked::AtMost(1.5)),
    });
    Ok(())
}

fn tools(table: &mut Table, provider: &Provider) -> anyhow::Result<()> {
    let (set, single) = (ours::tools(1000)?, ours::tools(0)?);
    // Described once, before the first step of the first round.
    drop((set.definitions(), single.definitions()));
    let (many, one) = pairs(
        || ours::step(&provider.url(20, 8), Mode::Whole, 20, &set),
        || ours::step(&provider.url(20, 8), Mode::Whole, 20, &single),
    )?;
    table.add(Line {
        work: "a step with 1,001 tools in the set",
        ratio: Some(median_ratio(&many, &one)),
        measured: median(many),
        unit: "ms of processor",
        beside: Some(("with one tool", median(one))),
        about: About::Ratio,
        asked: None,
    });
    Ok(())
}

fn deltas(table: &mut Table, provider: &Provider) -> anyhow::Result<()> {
    let one = ours::tools(0)?;
    let each = |deltas: u32| -> anyhow::Result<f64> {
        let step = ours::step(&provider.url(0, deltas), Mode::Streamed, 0, &one)?;
        Ok(step * 1000.0 / f64::from(deltas))
    };
    let (long, short) = pairs(|| each(100_000), || each(10_000))?;
    table.add(Line {
        work: "a piece of a stream of 100,000",
        ratio: Some(median_ratio(&long, &short)),
        measured: median(long),
        unit: "µs of processor",
        beside: Some(("a piece of one of 10,000", median(short))),
        about: About::Ratio,
        asked: Some(Asked::AtMost(1.2)),
    });
    Ok(())
}
