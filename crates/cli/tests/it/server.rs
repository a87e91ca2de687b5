use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio_util::task::TaskTracker;
use toolcrib_testkit::{ScriptedModel, TestClient};

/// The binary, serving a folder.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    /// Starts the binary and waits until it says that it is ready.
    pub(crate) async fn start(dir: &Path, model: &ScriptedModel) -> Self {
        let mut serve = command(dir, &["serve", "--listen", "127.0.0.1:0"]);
        serve
            .env("TOOLCRIB_MODEL_BASE_URL", model.base_url())
            .env("TOOLCRIB_MODEL_NAME", "scripted");
        Self::spawn(serve).await
    }

    /// Starts what `serve` says and waits until it says that it is ready.
    pub(crate) async fn spawn(serve: Command) -> Self {
        let server = Self::try_spawn(serve).await;
        server.unwrap()
    }

    /// As [`Server::spawn`]; none if it ends before it is ready.
    pub(crate) async fn try_spawn(mut serve: Command) -> Option<Self> {
        let mut child = serve
            .env("TOOLCRIB_LOG", "warn")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = tokio::time::timeout(Duration::from_secs(30), lines.next_line())
            .await
            .unwrap()
            .unwrap();
        let line = line.unwrap_or_default();
        let url = line.strip_prefix("Toolcrib is ready: ")?.to_owned();
        // Nobody may be left to read: a full pipe would stop the server.
        TaskTracker::new().spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Some(Self { child, url })
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Kills it, as `kill -9` does.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Tells it to end, and says whether it did so in good order.
    pub(crate) async fn terminate(mut self) -> bool {
        let id = self.child.id().unwrap().to_string();
        send_terminate(&id).await;
        tokio::time::timeout(Duration::from_secs(20), self.child.wait())
            .await
            .unwrap()
            .unwrap()
            .success()
    }

    /// A client that is signed in by the secret of the server's private file.
    pub(crate) async fn client(&self, dir: &Path, email: &str) -> TestClient {
        self.try_client(dir, email).await.unwrap()
    }

    /// As [`Server::client`], of a server that may end any time.
    pub(crate) async fn try_client(&self, dir: &Path, email: &str) -> anyhow::Result<TestClient> {
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(dir.join("data/server.json"))?)?;
        let stranger = TestClient::new(&self.url, "");
        let body = serde_json::json!({"secret": file["secret"], "email": email});
        let (status, answer) = stranger.post("/api/session/local", &body).await?;
        anyhow::ensure!(status == 200, "{answer}");
        let secret = answer["secret"].as_str().unwrap_or_default();
        Ok(TestClient::new(&self.url, secret))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the signal is sent as an administrator would"
)]
async fn send_terminate(id: &str) {
    assert!(
        Command::new("kill")
            .arg(id)
            .status()
            .await
            .unwrap()
            .success()
    );
}

/// The binary with a clean environment.
#[expect(
    clippy::disallowed_methods,
    reason = "the binary under test is started here"
)]
pub(crate) fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolcrib"));
    command
        .args(arguments)
        .env("TOOLCRIB_DIR", dir)
        .stdin(Stdio::null());
    for name in [
        "TOOLCRIB_MODEL_BASE_URL",
        "TOOLCRIB_MODEL_NAME",
        "TOOLCRIB_MODEL_API_KEY",
        "TOOLCRIB_USER",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs a command to its end: exit code, output, errors.
pub(crate) async fn run(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = command(dir, arguments).output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}
