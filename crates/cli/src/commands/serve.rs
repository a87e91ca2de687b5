use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use rand::RngCore as _;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolcrib_runtime::Runtime;
use toolcrib_server::ServerOptions;

use crate::args::Serve;
use crate::config::{self, Config};
use crate::settings;
use crate::terminal::say;

const USUAL_ADDRESS: &str = "127.0.0.1:8100";
/// How long work under way may take once the server is told to end.
const GRACE: Duration = Duration::from_secs(10);

/// What a server tells commands on the same machine; readable by its owner alone.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ServerFile {
    pub(crate) url: String,
    pub(crate) secret: String,
}

impl ServerFile {
    fn path(dir: &Path) -> PathBuf {
        dir.join("data").join("server.json")
    }

    pub(crate) fn read(dir: &Path) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(Self::path(dir)).ok()?).ok()
    }

    fn write(&self, dir: &Path) -> anyhow::Result<()> {
        use std::io::Write as _;
        use std::os::unix::fs::OpenOptionsExt as _;
        let path = Self::path(dir);
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&path)
            .with_context(|| format!("writing {}", path.display()))?;
        file.write_all(serde_json::to_string(self)?.as_bytes())?;
        Ok(())
    }
}

/// How long a server is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stay {
    /// Until it is told to end; other commands may speak to it.
    UntilTold {
        /// Whether a migration may drop data.
        allow_data_loss: bool,
        /// Whether the workspace is taken anew when its files change.
        watch: bool,
    },
    /// For the command that started it, and for nobody else: it may be gone at any moment.
    ForOneCommand,
}

/// A server that runs in this process.
pub(crate) struct Running {
    pub(crate) file: ServerFile,
    runtime: Runtime,
    dir: PathBuf,
    end: CancellationToken,
    task: JoinHandle<()>,
    is_published: bool,
}

pub(crate) async fn run(arguments: Serve) -> anyhow::Result<ExitCode> {
    let running = start(
        &arguments.workspace.dir,
        arguments.listen.as_deref(),
        Stay::UntilTold {
            allow_data_loss: arguments.allow_data_loss,
            watch: arguments.watch,
        },
    )
    .await?;
    // Who reads that it is ready may tell it to end at once.
    let told = told_to_end();
    say(&format!("Toolcrib is ready: {}", running.file.url));
    running.print_links().await?;
    told.await;
    eprintln!("toolcrib: ending; work under way is finished or left to the next start");
    running.stop().await;
    Ok(ExitCode::SUCCESS)
}

/// Starts a server on a workspace.
pub(crate) async fn start(dir: &Path, listen: Option<&str>, stay: Stay) -> anyhow::Result<Running> {
    let config = Config::read(dir)?;
    let address = listen
        .or(config.server.listen.as_deref())
        .unwrap_or(USUAL_ADDRESS);
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!(
            "listening on {address}; another program may be using it: try `--listen 127.0.0.1:0`"
        )
    })?;
    let bound = listener.local_addr()?;
    let mut options = settings::runtime_options(dir, &config)?;
    if let Stay::UntilTold {
        allow_data_loss,
        watch,
    } = stay
    {
        options.allow_data_loss = allow_data_loss;
        options.watch = watch;
    }
    let runtime = Runtime::start(options).await?;
    let config_file = dir.join("toolcrib.toml");
    if !config_file.exists() {
        std::fs::write(&config_file, config::DEFAULT)
            .with_context(|| format!("writing {}", config_file.display()))?;
    }
    let mut bits = [0_u8; 32];
    rand::rng().fill_bytes(&mut bits);
    let file = ServerFile {
        url: url(bound),
        secret: hex::encode(bits),
    };
    if stay != Stay::ForOneCommand {
        file.write(dir)?;
    }
    let server = ServerOptions {
        hosts: config.server.hosts,
        local_secret: Some(file.secret.clone()),
    };
    let router = toolcrib_server::router(runtime.clone(), server);
    let end = CancellationToken::new();
    let task = TaskTracker::new().spawn(toolcrib_server::serve(listener, router, end.clone()));
    Ok(Running {
        file,
        runtime,
        dir: dir.to_owned(),
        end,
        task,
        is_published: stay != Stay::ForOneCommand,
    })
}

/// Where a browser on this machine finds the server.
fn url(bound: SocketAddr) -> String {
    if bound.ip().is_unspecified() {
        format!("http://127.0.0.1:{}", bound.port())
    } else {
        format!("http://{bound}")
    }
}

impl Running {
    /// One link for the administrator, and in the sample shop one for each other person.
    async fn print_links(&self) -> anyhow::Result<()> {
        let mut people = vec![(self.runtime.administrator().await?, "Sign in once")];
        if self.runtime.is_sample() {
            let user = |email: &str| Some(email.to_owned());
            people.push((user("mona@shop.test"), "  as a manager"));
            people.push((user("sam@shop.test"), "  as a sales person"));
        }
        for (email, words) in people {
            let Some(email) = email else { continue };
            if let Some(token) = self.runtime.sign_in_link(&email).await? {
                say(&format!("{words}: {}/sign-in#token={token}", self.file.url));
            }
        }
        Ok(())
    }

    /// Stops taking requests, ends or hands over the work under way, and closes.
    pub(crate) async fn stop(self) {
        self.end.cancel();
        let ended = async {
            self.runtime.stop_all().await;
            drop(self.task.await);
        };
        if tokio::time::timeout(GRACE, ended).await.is_err() {
            eprintln!("toolcrib: some work did not end in time; it is taken up at the next start");
        }
        if self.is_published {
            drop(std::fs::remove_file(ServerFile::path(&self.dir)));
        }
    }
}

/// Ends when the process is told to end, from this call on.
fn told_to_end() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let terminate = signal(SignalKind::terminate());
    let interrupt = signal(SignalKind::interrupt());
    async move {
        match (terminate, interrupt) {
            (Ok(mut terminate), Ok(mut interrupt)) => {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            }
            (Ok(mut one), Err(_)) | (Err(_), Ok(mut one)) => drop(one.recv().await),
            (Err(_), Err(_)) => std::future::pending().await,
        }
    }
}
