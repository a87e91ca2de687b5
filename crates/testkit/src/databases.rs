//! Which database the applications of the tests keep their own rows in.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
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
        Some("postgres") => Ok(Some(testing::make_database(&server()?).await?)),
        Some(other) => bail!("TOOLCRIB_TEST_MAIN is sqlite or postgres, not {other}"),
    }
}

/// The server to test with; it is started unless it runs.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests start what they need themselves"
)]
fn server() -> anyhow::Result<String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let dir = root.join("target/test-databases");
    let mut start = std::process::Command::new(root.join("scripts/test-databases"));
    if !start.arg("start").arg(&dir).status()?.success() {
        bail!("the databases to test with don't start");
    }
    let env = std::fs::read_to_string(dir.join("env"))?;
    let mut lines = env.lines();
    let found = lines.find_map(|line| line.strip_prefix("TOOLCRIB_TEST_POSTGRES="));
    Ok(found
        .context("there is no PostgreSQL to test with")?
        .to_owned())
}
