//! Which database the applications of the tests keep their own rows in.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use tempfile::TempDir;
use toolcrib_data::{ConnectionUrl, testing};

/// A database of its own where the suite is run on PostgreSQL, which the variable
/// `TOOLCRIB_TEST_MAIN` says; else none, and the application takes a file.
///
/// # Errors
/// When the server to test with does not start.
#[expect(
    clippy::disallowed_methods,
    reason = "one suite runs on both databases, and what runs it says on which"
)]
pub(crate) async fn chosen() -> anyhow::Result<Option<ConnectionUrl>> {
    match std::env::var("TOOLCRIB_TEST_MAIN").ok().as_deref() {
        None | Some("sqlite") => Ok(None),
        Some("postgres") => Ok(Some(postgres().await?)),
        Some(other) => bail!("TOOLCRIB_TEST_MAIN is sqlite or postgres, not {other}"),
    }
}

/// A PostgreSQL database for one test alone, whatever the suite is run on.
///
/// # Errors
/// When the server to test with does not start.
pub async fn postgres() -> anyhow::Result<ConnectionUrl> {
    Ok(testing::make_database(&server()?).await?)
}

/// A PostgreSQL server for one test alone, which may stop it.
#[derive(Debug)]
pub struct OwnPostgres {
    dir: TempDir,
}

impl OwnPostgres {
    /// Starts it.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start() -> anyhow::Result<Self> {
        let dir = tempfile::tempdir()?;
        act("start", dir.path())?;
        Ok(Self { dir })
    }

    /// An empty database on it.
    ///
    /// # Errors
    /// When it can't be reached.
    pub async fn database(&self) -> anyhow::Result<ConnectionUrl> {
        Ok(testing::make_database(&address(self.dir.path())?).await?)
    }

    /// Stops it; what it keeps stays.
    ///
    /// # Errors
    /// When it does not stop.
    pub fn halt(&self) -> anyhow::Result<()> {
        act("halt", self.dir.path())
    }

    /// Starts it again, where it was.
    ///
    /// # Errors
    /// When it does not start.
    pub fn resume(&self) -> anyhow::Result<()> {
        act("resume", self.dir.path())
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        // What is left of it goes with the machine's folder for temporary files.
        drop(act("stop", self.dir.path()));
    }
}

/// The server to test with; it is started unless it runs.
fn server() -> anyhow::Result<String> {
    let dir = root().join("target/test-databases");
    act("start", &dir)?;
    address(&dir)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Does something with the servers that are kept in a folder.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests start what they need themselves"
)]
fn act(what: &str, dir: &Path) -> anyhow::Result<()> {
    let mut script = std::process::Command::new(root().join("scripts/test-databases"));
    if !script.arg(what).arg(dir).status()?.success() {
        bail!("the databases to test with don't {what}");
    }
    Ok(())
}

fn address(dir: &Path) -> anyhow::Result<String> {
    let env = std::fs::read_to_string(dir.join("env"))?;
    let mut lines = env.lines();
    let found = lines.find_map(|line| line.strip_prefix("TOOLCRIB_TEST_POSTGRES="));
    Ok(found
        .context("there is no PostgreSQL to test with")?
        .to_owned())
}
