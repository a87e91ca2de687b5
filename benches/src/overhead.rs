//! What the counter itself adds to a call of a tool that does nothing.
//!
//! The storage of the call is left out without a switch in the counter: the last thing that a
//! call of a reading tool waits for is the acknowledgement of its rows. So the time up to that
//! wait and the time after it are the counter's, and the wait is the storage's.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use crate::folder;
use crate::rounds::{ROUNDS, median, median_ratio, micros};
use crate::table::{About, Asked, Line, Table};
use crate::tools::{Bench, READS};

const CALLS: usize = 500;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let bench = Bench::new(dir.path()).await?;
    let (mut own, mut whole) = (Vec::new(), Vec::new());
    // The first round warms up.
    for number in 0..=ROUNDS {
        let (own_time, whole_time) = round(&bench).await?;
        if number == 0 {
            continue;
        }
        own.push(own_time);
        whole.push(whole_time);
    }
    table.add(Line {
        work: "call of a reading tool that does nothing, its storage left out",
        ratio: Some(median_ratio(&own, &whole)),
        measured: median(own),
        unit: "µs",
        beside: Some(("the whole call", median(whole))),
        about: About::Measured,
        asked: Some(Asked::AtMost(20.0)),
    });
    Ok(())
}

/// Medians of one round, in microseconds: without and with the storage.
async fn round(bench: &Bench) -> anyhow::Result<(f64, f64)> {
    let (mut own, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..CALLS {
        let call = Parts {
            call: Box::pin(bench.call(READS)),
            begin: Instant::now(),
            waits_since: Duration::ZERO,
        };
        let (own_time, whole_time) = call.await?;
        own.push(micros(own_time));
        whole.push(micros(whole_time));
    }
    Ok((median(own), median(whole)))
}

/// A call that tells apart its last wait from all else.
struct Parts<F> {
    call: Pin<Box<F>>,
    begin: Instant,
    /// How long after the beginning it last began to wait.
    waits_since: Duration,
}

impl<T, F: Future<Output = anyhow::Result<T>>> Future for Parts<F> {
    type Output = anyhow::Result<(Duration, Duration)>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let resumed = Instant::now();
        match self.call.as_mut().poll(context) {
            Poll::Pending => {
                self.waits_since = self.begin.elapsed();
                Poll::Pending
            }
            Poll::Ready(outcome) => {
                let own = self.waits_since + resumed.elapsed();
                Poll::Ready(outcome.map(|_| (own, self.begin.elapsed())))
            }
        }
    }
}
