//! Measures what the counter costs, and prints one table. Each number is the median of several
//! short rounds, and stands beside plain work that was measured in the same rounds.

mod batch;
mod calls;
mod connection;
mod folder;
mod over_http;
mod overhead;
mod plain;
mod rounds;
mod server;
mod start;
mod table;
mod tools;

use crate::table::Table;

fn main() -> anyhow::Result<()> {
    // As the server has it: one worker for each core.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut table = Table::default();
    runtime.block_on(async {
        overhead::measure(&mut table).await?;
        calls::measure(&mut table).await?;
        batch::measure(&mut table).await?;
        over_http::measure(&mut table)?;
        start::measure(&mut table)
    })?;
    table.print();
    Ok(())
}
