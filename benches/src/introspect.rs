//! A thousand tables of PostgreSQL, looked at.

use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use toolcrib_data::{ConnectionConfig, ConnectionUrl, Connections};

use crate::folder;
use crate::rounds::{ROUNDS, median, millis};
use crate::table::{About, Asked, Line, Table};

const TABLES: usize = 1_000;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let server = Server::start(dir.path())?;
    let url = format!("{}/postgres", server.address()?);
    let mut conn = PgConnection::connect(&url).await?;
    for number in 0..TABLES {
        let other = number.saturating_sub(1);
        let columns: String = (0..9).map(|n| format!(", c{n} varchar(40)")).collect();
        let sql = format!(
            "CREATE TABLE t{number} (id bigint PRIMARY KEY, code text UNIQUE, other bigint REFERENCES t{other} (id){columns})"
        );
        conn.execute(AssertSqlSafe(sql)).await?;
    }
    let parsed = ConnectionUrl::parse(url).map_err(anyhow::Error::msg)?;
    let connections = Connections::new([ConnectionConfig::new("bench", parsed)])?;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let found = connections.introspect("bench").await?;
        times.push(millis(begin.elapsed()));
        anyhow::ensure!(found.len() == TABLES, "{} tables", found.len());
    }
    connections.close().await;
    table.add(Line {
        work: "introspecting 1,000 tables of 12 columns, PostgreSQL",
        measured: median(times),
        unit: "ms",
        beside: None,
        ratio: None,
        about: About::Measured,
        asked: Some(Asked::AtMost(2_000.0)),
    });
    Ok(())
}

/// A server that is gone with its value.
struct Server(std::path::PathBuf);

impl Server {
    #[expect(
        clippy::disallowed_methods,
        reason = "the server to measure with is started here"
    )]
    fn start(dir: &std::path::Path) -> anyhow::Result<Self> {
        let done = Command::new("scripts/test-databases")
            .arg("start")
            .arg(dir)
            .status()?;
        anyhow::ensure!(done.success(), "the database server does not start");
        Ok(Self(dir.to_owned()))
    }

    fn address(&self) -> anyhow::Result<String> {
        let env = std::fs::read_to_string(self.0.join("env"))?;
        let mut lines = env.lines();
        let found = lines.find_map(|line| line.strip_prefix("TOOLCRIB_TEST_POSTGRES="));
        Ok(found.context("there is no PostgreSQL")?.to_owned())
    }
}

impl Drop for Server {
    #[expect(clippy::disallowed_methods, reason = "as it was started")]
    fn drop(&mut self) {
        // What is left of it goes with its folder.
        drop(
            Command::new("scripts/test-databases")
                .arg("stop")
                .arg(&self.0)
                .status(),
        );
    }
}
