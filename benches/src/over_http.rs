//! `read_record` over HTTP: the release binary, and beside it as many threads as there are
//! connections, each of which waits for one answer before it asks again.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::connection::{Connection, post};
use crate::folder;
use crate::rounds::{ROUNDS, median, median_ratio, millis, ninety_ninth, per_second};
use crate::server::Server;
use crate::table::{About, Asked, Line, Table};

const CONNECTIONS: usize = 16;
const TIME: Duration = Duration::from_secs(2);

pub(crate) fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let server = Server::start(dir.path())?;
    let secret = server.session(dir.path(), "mona@shop.test")?;
    let address = &server.address;
    let body = json!({"arguments": {"model": "order", "id": 1}}).to_string();
    let call = post(address, "/api/tools/read_record/call", &secret, &body);
    let (status, answer) = Connection::open(address)?.answer(&call)?;
    let answer = String::from_utf8_lossy(&answer);
    anyhow::ensure!(status == 200 && answer.contains("SO-10001"), "{answer}");
    let health = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n").into_bytes();
    let (mut calls, mut slowest, mut healths) = (Vec::new(), Vec::new(), Vec::new());
    // The first round warms up.
    for number in 0..=ROUNDS {
        let (rate, _) = round(address, &health)?;
        let (call_rate, ninety_ninth) = round(address, &call)?;
        if number > 0 {
            healths.push(rate);
            calls.push(call_rate);
            slowest.push(ninety_ninth);
        }
    }
    server.stop()?;
    table.add(Line {
        work: "read_record over HTTP, 16 connections",
        ratio: Some(median_ratio(&calls, &healths)),
        measured: median(calls),
        unit: "/s",
        beside: Some(("GET /healthz", median(healths))),
        about: About::Measured,
        asked: Some(Asked::AtLeast(3000.0)),
    });
    table.add(Line {
        work: "the same, 99 of 100 answered within",
        measured: median(slowest),
        unit: "ms",
        beside: None,
        ratio: None,
        about: About::Measured,
        asked: Some(Asked::AtMost(15.0)),
    });
    Ok(())
}

/// Requests a second, and how many milliseconds 99 of 100 took at most.
fn round(address: &str, request: &[u8]) -> anyhow::Result<(f64, f64)> {
    let begin = Instant::now();
    let times: Vec<f64> = thread::scope(|scope| {
        let running: Vec<_> = (0..CONNECTIONS)
            .map(|_| scope.spawn(|| ask(address, request, begin)))
            .collect();
        let mut times = Vec::new();
        for one in running {
            let one = one
                .join()
                .map_err(|_| anyhow::anyhow!("a client broke down"))?;
            times.extend(one?);
        }
        anyhow::Ok(times)
    })?;
    let rate = per_second(u32::try_from(times.len())?, begin.elapsed());
    Ok((rate, ninety_ninth(times)))
}

fn ask(address: &str, request: &[u8], begin: Instant) -> anyhow::Result<Vec<f64>> {
    let mut connection = Connection::open(address)?;
    let mut times = Vec::new();
    while begin.elapsed() < TIME {
        let asked = Instant::now();
        let (status, _) = connection.answer(request)?;
        anyhow::ensure!(status == 200, "the server answered {status}");
        times.push(millis(asked.elapsed()));
    }
    Ok(times)
}
