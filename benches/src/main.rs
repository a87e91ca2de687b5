//! Measures what the counter and the embedded loop cost, and prints one table. Each number is the median of several
//! short rounds, and stands beside plain work that was measured in the same rounds.

mod audit;
mod batch;
mod calls;
mod connection;
mod embedded;
mod folder;
mod growth;
mod introspect;
mod over_http;
mod overhead;
mod plain;
mod records;
mod rounds;
mod server;
mod start;
mod table;
mod tools;

use std::time::Duration;

use crate::table::Table;

/// The names of what can be measured alone: `toolcrib-benches calls http`.
const PARTS: &[&str] = &[
    "embedded",
    "overhead",
    "calls",
    "batch",
    "records",
    "introspect",
    "audit",
    "growth",
    "http",
    "start",
];

/// What is measured only when it is asked for.
const ALONE: &str = "growth10";

const REST: Duration = Duration::from_secs(3);

fn main() -> anyhow::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let [embedded::MEMORY_CHILD, url] = asked.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        return embedded::child(url);
    }
    let is_known = |name: &str| name == ALONE || PARTS.contains(&name);
    if let Some(unknown) = asked.iter().find(|name| !is_known(name)) {
        anyhow::bail!("there is no {unknown:?} to measure; there are {PARTS:?} and {ALONE:?}");
    }
    // As the server has it: one worker for each core, and all work on workers.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut table = Table::default();
    for part in PARTS.iter().copied().chain([ALONE]) {
        let by_default = asked.is_empty() && part != ALONE;
        if by_default || asked.iter().any(|name| name == part) {
            // What the part before has left to the disk is not this one's.
            std::thread::sleep(REST);
            table = runtime.block_on(runtime.spawn(measure(part, table)))??;
        }
    }
    table.print();
    Ok(())
}

async fn measure(part: &str, mut table: Table) -> anyhow::Result<Table> {
    match part {
        "embedded" => tokio::task::block_in_place(|| embedded::measure(&mut table))?,
        "overhead" => overhead::measure(&mut table).await?,
        "calls" => calls::measure(&mut table).await?,
        "batch" => batch::measure(&mut table).await?,
        "records" => records::measure(&mut table).await?,
        "introspect" => introspect::measure(&mut table).await?,
        "audit" => audit::measure(&mut table).await?,
        "growth" => growth::measure(&mut table, growth::ROWS).await?,
        ALONE => growth::measure(&mut table, growth::MANY_ROWS).await?,
        "http" => over_http::measure(&mut table)?,
        _ => start::measure(&mut table)?,
    }
    Ok(table)
}
