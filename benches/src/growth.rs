//! What a call costs with everything on, and how that grows with the registry and the audit.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use tokio_util::task::TaskTracker;
use toolcrib_counter::{Principal, ToolChange};
use toolcrib_data::platform::tools::{EventSwitch, ToolEvents, ToolSettings};
use toolcrib_runtime::{Answer, Callback, Received, Runtime, RuntimeOptions, ToolEvent};

use crate::rounds::{ROUNDS, median, micros};
use crate::table::{About, Asked, Line, Table};
use crate::tools::{Bench, READS, WRITES, call};
use crate::{folder, plain};

const CALLERS: usize = 16;
const CALLS_EACH: usize = 400;
const TOOLS: usize = 100_000;
const AT: &str = "the same with 10 tools, and nothing stored";

/// The usual size, and the one that is asked for, which takes minutes to make.
pub(crate) const ROWS: i64 = 1_000_000;
pub(crate) const MANY_ROWS: i64 = 10_000_000;

pub(crate) async fn measure(table: &mut Table, rows: i64) -> anyhow::Result<()> {
    everything_on(table).await?;
    let small = folder::new()?;
    let small = Bench::new(small.path()).await?;
    let dir = folder::new()?;
    let large = Bench::with_tools(dir.path(), TOOLS).await?;
    compare(table, &small, &large, "calls, 16 callers, 100,000 tools").await?;
    drop(large);
    let dir = folder::new()?;
    let full = Bench::new(dir.path()).await?;
    fill(dir.path(), &full, rows).await?;
    let work = match rows {
        ROWS => "calls, 16 callers, after 1,000,000 rows of audit",
        _ => "calls, 16 callers, after 10,000,000 rows of audit",
    };
    compare(table, &small, &full, work).await
}

/// Somebody who is told of everything, and does nothing with it.
#[derive(Debug)]
struct Told;

impl Callback for Told {
    fn name(&self) -> &'static str {
        "told"
    }

    fn post(&self) -> bool {
        true
    }

    fn receive<'a>(&'a self, _: &'a ToolEvent) -> Received<'a> {
        Box::pin(async { Ok(Answer::Allow) })
    }
}

/// A whole application: rights, audit with its sealer, and events that are told. The processor's time is
/// that of the whole process, so that the work which follows a call is in it.
async fn everything_on(table: &mut Table) -> anyhow::Result<()> {
    for events in [false, true] {
        let dir = folder::new()?;
        let mut options = RuntimeOptions::new(dir.path());
        options.callbacks = vec![Arc::new(Told)];
        let runtime = Runtime::start(options).await?;
        let user = runtime.user_by_email("admin@shop.test").await?;
        let admin = Principal::new(user.context("the sample has an administrator")?, None);
        if events {
            give_events(&runtime, &admin).await?;
        }
        let admin = Arc::new(admin);
        let (mut rates, mut used) = (Vec::new(), Vec::new());
        // The first round warms up.
        for round in 0..=ROUNDS {
            let (rate, time) = round_of(&runtime, &admin).await?;
            if round > 0 {
                rates.push(rate);
                used.push(time);
            }
        }
        runtime.stop_all().await;
        let (rate, time) = match events {
            false => (
                "calls, 16 callers, audit on",
                "processor time of a call, audit on",
            ),
            true => (
                "calls, 16 callers, audit and an event on",
                "processor time of a call, audit and an event on",
            ),
        };
        table.add(line(
            rate,
            median(rates),
            "/s",
            Some(Asked::AtLeast(4000.0)),
        ));
        table.add(line(time, median(used), "µs", Some(Asked::AtMost(150.0))));
    }
    Ok(())
}

fn line(work: &'static str, measured: f64, unit: &'static str, asked: Option<Asked>) -> Line {
    Line {
        work,
        measured,
        unit,
        beside: None,
        ratio: None,
        about: About::Measured,
        asked,
    }
}

async fn give_events(runtime: &Runtime, admin: &Principal) -> anyhow::Result<()> {
    let registry = runtime.counter().registry();
    let tool = registry.find("current_user", admin, None);
    let version = tool.context("the tool is there")?.row.version;
    let events = ToolEvents {
        pre: EventSwitch::Off,
        post: EventSwitch::Data,
    };
    let change = ToolChange {
        settings: Some(ToolSettings {
            events,
            ..ToolSettings::default()
        }),
        ..ToolChange::default()
    };
    registry
        .save(runtime.store(), admin, "current_user", version, &change)
        .await?;
    Ok(())
}

/// Calls a second, and microseconds of the processors for each.
async fn round_of(runtime: &Runtime, admin: &Arc<Principal>) -> anyhow::Result<(f64, f64)> {
    let (begun, before) = (Instant::now(), used()?);
    let runtime_of = runtime.clone();
    let admin = Arc::clone(admin);
    callers(move || {
        let (runtime, admin) = (runtime_of.clone(), Arc::clone(&admin));
        async move {
            call(runtime.counter(), &admin, "current_user", "{}").await?;
            Ok(())
        }
    })
    .await?;
    let rate = f64::from(count()) / begun.elapsed().as_secs_f64();
    runtime.deliver_all().await?;
    runtime.seal_all().await?;
    Ok((
        rate,
        micros(used()?.saturating_sub(before)) / f64::from(count()),
    ))
}

fn count() -> u32 {
    u32::try_from(CALLERS * CALLS_EACH).unwrap_or(u32::MAX)
}

/// Sixteen callers, each with so many calls.
async fn callers<F, Work>(work: F) -> anyhow::Result<()>
where
    F: Fn() -> Work + Clone + Send + 'static,
    Work: Future<Output = anyhow::Result<()>> + Send,
{
    let tasks = TaskTracker::new();
    let running: Vec<_> = (0..CALLERS)
        .map(|_| {
            let work = work.clone();
            tasks.spawn(async move {
                for _ in 0..CALLS_EACH {
                    work().await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    for caller in running {
        caller.await??;
    }
    Ok(())
}

/// What this process has used of the processors.
fn used() -> anyhow::Result<Duration> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task")? {
        let stat = std::fs::read_to_string(thread?.path().join("schedstat")).unwrap_or_default();
        let used = stat.split_whitespace().next();
        nanoseconds += used.and_then(|used| used.parse().ok()).unwrap_or(0_u64);
    }
    Ok(Duration::from_nanos(nanoseconds))
}

/// Measures a small and a large one in turns.
async fn compare(
    table: &mut Table,
    small: &Bench,
    large: &Bench,
    work: &'static str,
) -> anyhow::Result<()> {
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        for (bench, seen) in [(small, &mut fast), (large, &mut slow)] {
            let begun = Instant::now();
            let bench = bench.clone();
            callers(move || {
                let bench = bench.clone();
                async move {
                    bench.call(READS).await?;
                    bench.call(WRITES).await?;
                    Ok(())
                }
            })
            .await?;
            if round > 0 {
                seen.push(f64::from(2 * count()) / begun.elapsed().as_secs_f64());
            }
        }
    }
    let ratio = crate::rounds::median_ratio(&slow, &fast);
    table.add(Line {
        work,
        measured: median(slow),
        unit: "/s",
        beside: Some((AT, median(fast))),
        ratio: Some(ratio),
        about: About::Ratio,
        asked: Some(Asked::AtLeast(0.9)),
    });
    Ok(())
}

/// Puts so many rows of audit under a counter: half as many calls, with two transitions each.
async fn fill(dir: &Path, bench: &Bench, rows: i64) -> anyhow::Result<()> {
    let mut conn = plain::open(&dir.join("toolcrib.db")).await?;
    let calls = rows / 2;
    let numbers =
        "WITH RECURSIVE n(n) AS (SELECT $2 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < $3)";
    let id = "printf('01900000-0000-7000-8000-%012x', n)";
    let org = bench.org();
    let result = json!({"type": "json", "output": {"done": true}}).to_string();
    let statements = [
        format!(
            "{numbers} INSERT INTO tc_calls (org_id, id, via, asker_id, tool, kind, tool_version, tool_digest, level, title, \
             state, arguments_asked, arguments, arguments_hash, result, asked_at, started_at, ended_at) \
             SELECT $1, {id}, 'api', 'asker-' || (n % 1000), 'tool-' || (n % 50), 'system', 1, '{digest}', 'read_only', 'Nothing', \
             'succeeded', '{{\"id\": 7}}', '{{\"id\": 7}}', '{digest}', '{result}', n, n, n FROM n",
            digest = "0".repeat(64)
        ),
        format!(
            "{numbers} INSERT INTO tc_call_events (org_id, call_id, seq, state, at) SELECT $1, {id}, 0, 'asked', n FROM n"
        ),
        format!(
            "{numbers} INSERT INTO tc_call_events (org_id, call_id, seq, state, at) SELECT $1, {id}, 1, 'succeeded', n FROM n"
        ),
    ];
    let mut from = 0;
    while from < calls {
        let to = calls.min(from + 250_000);
        for statement in &statements {
            sqlx::query(sqlx::AssertSqlSafe(statement.clone()))
                .bind(&org)
                .bind(from)
                .bind(to)
                .execute(&mut conn)
                .await?;
        }
        from = to;
    }
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(&mut conn)
        .await?;
    Ok(())
}
