//! The release binary as a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::connection::{Connection, post};
use crate::folder;

/// A server that was started, and is stopped with its value.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// Held open: the server goes on to print.
    _out: BufReader<ChildStdout>,
    /// Host and port.
    pub(crate) address: String,
    /// From the start of the process to the first good answer of `/readyz`.
    pub(crate) ready_after: Duration,
}

impl Server {
    /// Starts the server on the workspace in `dir`; its log goes to a file beside it.
    pub(crate) fn start(dir: &Path) -> anyhow::Result<Self> {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(dir.join("log"))?;
        let program = folder::programs()?.join("toolcrib");
        let mut command = command(&program);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--dir"])
            .arg(dir.join("workspace"))
            .stdout(Stdio::piped())
            .stderr(log);
        let begin = Instant::now();
        let mut child = command
            .spawn()
            .with_context(|| format!("starting {}; is it built?", program.display()))?;
        let mut out = BufReader::new(child.stdout.take().context("the server has no output")?);
        let mut first = String::new();
        out.read_line(&mut first)?;
        let (_, address) = first
            .trim()
            .rsplit_once("http://")
            .with_context(|| format!("the server did not say where it listens: {first:?}"))?;
        let mut server = Self {
            child,
            _out: out,
            address: address.to_owned(),
            ready_after: Duration::ZERO,
        };
        let request = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\n\r\n");
        let mut connection = Connection::open(address)?;
        while connection.answer(request.as_bytes())?.0 != 200 {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.ready_after = begin.elapsed();
        Ok(server)
    }

    /// The secret of a session of that user.
    pub(crate) fn session(&self, dir: &Path, email: &str) -> anyhow::Result<String> {
        let file = dir.join("workspace").join("data").join("server.json");
        let file: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        let body = json!({"secret": file.get("secret"), "email": email}).to_string();
        let request = post(&self.address, "/api/session/local", "", &body);
        let (status, body) = Connection::open(&self.address)?.answer(&request)?;
        anyhow::ensure!(status == 200, "signing in: {status}");
        let session: Value = serde_json::from_slice(&body)?;
        let secret = session.get("secret").and_then(Value::as_str);
        Ok(secret.context("the session has no secret")?.to_owned())
    }

    /// The memory that it holds, in megabytes.
    pub(crate) fn resident(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"))
            .context("the system does not tell a process's memory")?;
        Ok(kilobytes.trim().parse::<f64>()? * 1024.0 / 1e6)
    }

    /// Ends it as an administrator would.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        command(Path::new("kill"))
            .arg(self.child.id().to_string())
            .status()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After a failure; one that was stopped is gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "measures the program as its users start it"
)]
fn command(program: &Path) -> Command {
    Command::new(program)
}
