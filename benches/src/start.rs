//! How soon the release binary is ready on a workspace that is there, and what it holds when idle.

use std::thread;
use std::time::Duration;

use crate::folder;
use crate::rounds::{ROUNDS, median, millis};
use crate::server::Server;
use crate::table::{About, Asked, Line, Table};

/// How long after it was ready its memory is read.
const IDLE: Duration = Duration::from_secs(2);

pub(crate) fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    // The first start makes the sample shop.
    let first = Server::start(dir.path())?;
    let new = millis(first.ready_after);
    first.stop()?;
    let (mut ready, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let server = Server::start(dir.path())?;
        ready.push(millis(server.ready_after));
        thread::sleep(IDLE);
        memory.push(server.resident()?);
        server.stop()?;
    }
    let ready = median(ready);
    table.add(Line {
        work: "start on an existing workspace, until /readyz answers",
        measured: ready,
        unit: "ms",
        beside: Some(("the first start, which makes the sample shop", new)),
        ratio: Some(ready / new),
        about: About::Measured,
        asked: Some(Asked::AtMost(300.0)),
    });
    table.add(Line {
        work: "resident memory, idle for two seconds",
        measured: median(memory),
        unit: "MB",
        beside: None,
        ratio: None,
        about: About::Measured,
        asked: Some(Asked::AtMost(60.0)),
    });
    Ok(())
}
