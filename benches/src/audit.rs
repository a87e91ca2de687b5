//! Sealing and proving the audit: a hundred thousand calls, with what was stored of each.

use std::time::Instant;

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolcrib_counter::{CallMode, CallRequest, Principal};
use toolcrib_data::platform::calls::Via;
use toolcrib_runtime::{Runtime, RuntimeOptions};

use crate::folder;
use crate::rounds::median;
use crate::table::{About, Asked, Line, Table};

const CALLERS: usize = 64;
const CALLS_EACH: usize = 1600;
const ROUNDS: usize = 3;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let runtime = Runtime::start(RuntimeOptions::new(dir.path())).await?;
    let user = runtime.user_by_email("admin@shop.test").await?;
    let admin = Principal::new(user.context("the sample has an administrator")?, None);
    let tracker = TaskTracker::new();
    let mut callers = Vec::new();
    for _ in 0..CALLERS {
        let (runtime, admin) = (runtime.clone(), admin.clone());
        callers.push(tracker.spawn(async move {
            for _ in 0..CALLS_EACH {
                runtime.counter().call(request(&admin)).await?;
            }
            anyhow::Ok(())
        }));
    }
    for caller in callers {
        caller.await??;
    }
    runtime.seal_all().await?;
    let (mut rates, mut entries) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let found = runtime.verify_audit(&admin, None).await?;
        anyhow::ensure!(found.ok, "the chain is broken: {:?}", found.problems);
        entries = found.entries;
        rates.push(as_float(entries) / begun.elapsed().as_secs_f64());
    }
    anyhow::ensure!(entries > 200_000, "{entries} entries are too few");
    runtime.stop_all().await;
    table.add(Line {
        work: "audit verify, 200,000 entries with their calls",
        measured: median(rates),
        unit: "/s",
        beside: None,
        ratio: None,
        about: About::Measured,
        asked: Some(Asked::AtLeast(200_000.0)),
    });
    Ok(())
}

fn request(principal: &Principal) -> CallRequest<'_> {
    CallRequest {
        principal,
        tool: "current_user",
        arguments: "{}",
        via: Via::Api,
        conversation: None,
        mode: CallMode::Real,
        idempotency_key: None,
        cancel: CancellationToken::new(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred thousand")]
fn as_float(count: i64) -> f64 {
    count as f64
}
