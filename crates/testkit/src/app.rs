//! A whole application on a free port, with real HTTP.

pub(crate) mod client;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use toolcrib_data::{Clock, ConnectionUrl, Connections};
use toolcrib_runtime::{
    Callback, EndpointSettings, Hook, Provider, Runtime, RuntimeOptions, SettingsOrigin,
};
use toolcrib_server::ServerOptions;

use crate::{ScriptedModel, TestClient, databases};

/// How to start a test application.
#[derive(Clone, Debug)]
pub struct TestAppOptions {
    /// Whether there is a language model.
    pub with_model: bool,
    /// How long a model may take.
    pub model_timeout: Duration,
    /// Where the time comes from.
    pub clock: Clock,
    /// Limits of the counter.
    pub counter: toolcrib_counter::CounterOptions,
    /// The PostgreSQL database of its own rows; a file without one.
    pub database: Option<ConnectionUrl>,
    /// How long the audit is kept.
    pub audit_kept: Option<SignedDuration>,
    /// Who in this program is told of calls, or asked before them.
    pub callbacks: Vec<Arc<dyn Callback>>,
    /// Hooks around calls.
    pub hooks: Vec<Arc<dyn Hook>>,
    /// The databases that data models may be in, beside its own.
    pub connections: Connections,
}

impl Default for TestAppOptions {
    fn default() -> Self {
        Self {
            with_model: true,
            model_timeout: Duration::from_secs(20),
            clock: Clock::system(),
            counter: toolcrib_counter::CounterOptions::default(),
            database: None,
            audit_kept: None,
            callbacks: Vec::new(),
            hooks: Vec::new(),
            connections: Connections::default(),
        }
    }
}

/// A running application with the sample shop, and its scripted model.
#[derive(Debug)]
pub struct TestApp {
    /// The model that its agents speak to.
    pub model: Arc<ScriptedModel>,
    /// The application beneath.
    pub runtime: Runtime,
    options: TestAppOptions,
    dir: Arc<TempDir>,
    url: String,
    end: CancellationToken,
    /// An application that nobody has any more holds no sessions of a database.
    _ended: DropGuard,
    tasks: TaskTracker,
}

impl TestApp {
    /// Starts with the usual settings.
    ///
    /// # Errors
    /// When it can't start.
    pub async fn start() -> anyhow::Result<Self> {
        Self::start_with(TestAppOptions::default()).await
    }

    /// Starts in a new folder.
    ///
    /// # Errors
    /// When it can't start.
    pub async fn start_with(mut options: TestAppOptions) -> anyhow::Result<Self> {
        if options.database.is_none() {
            options.database = databases::chosen().await?;
        }
        let dir = Arc::new(tempfile::tempdir()?);
        let model = Arc::new(ScriptedModel::start().await?);
        Self::start_in(dir, model, options).await
    }

    async fn start_in(
        dir: Arc<TempDir>,
        model: Arc<ScriptedModel>,
        options: TestAppOptions,
    ) -> anyhow::Result<Self> {
        let mut settings = RuntimeOptions::new(dir.path());
        settings.clock = options.clock.clone();
        settings.counter = options.counter.clone();
        settings.language_model = options.with_model.then(|| EndpointSettings {
            provider: Provider::Openai,
            capabilities: None,
            base_url: model.base_url().to_owned(),
            api_key: Some("sk-test-canary".to_owned()),
            model: "scripted".to_owned(),
            timeout: options.model_timeout,
            origin: SettingsOrigin::Environment,
        });
        settings.database.clone_from(&options.database);
        settings.audit_kept = options.audit_kept;
        settings.callbacks.clone_from(&options.callbacks);
        settings.hooks.clone_from(&options.hooks);
        settings.connections = options.connections.clone();
        let runtime = Runtime::start(settings).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let server = ServerOptions {
            local_secret: Some("local".to_owned()),
            ..ServerOptions::default()
        };
        let router = toolcrib_server::router(runtime.clone(), server);
        let end = CancellationToken::new();
        let tasks = TaskTracker::new();
        let (serving, beneath) = (end.clone(), runtime.clone());
        tasks.spawn(async move {
            toolcrib_server::serve(listener, router, serving).await;
            beneath.stop_all().await;
        });
        Ok(Self {
            model,
            runtime,
            options,
            dir,
            url,
            _ended: end.clone().drop_guard(),
            end,
            tasks,
        })
    }

    /// Ends the application and starts it again on the same folder.
    ///
    /// # Errors
    /// When it can't start again.
    pub async fn restart(self) -> anyhow::Result<Self> {
        self.end.cancel();
        self.runtime.stop_all().await;
        self.tasks.close();
        self.tasks.wait().await;
        let Self {
            model,
            runtime,
            options,
            dir,
            ..
        } = self;
        drop(runtime);
        // Connections that are still being served hold the store; it frees its lock with the last.
        for _ in 0..200 {
            match Self::start_in(Arc::clone(&dir), Arc::clone(&model), options.clone()).await {
                Ok(app) => return Ok(app),
                Err(error) if error.to_string().contains("in use") => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) => return Err(error),
            }
        }
        anyhow::bail!("the store of the application before is still open")
    }

    /// Another server on the same folder and the same PostgreSQL database.
    ///
    /// # Errors
    /// When it can't start.
    pub async fn beside(&self) -> anyhow::Result<Self> {
        let (dir, model) = (Arc::clone(&self.dir), Arc::clone(&self.model));
        Self::start_in(dir, model, self.options.clone()).await
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its workspace folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// A client that is signed in as the user with that address.
    ///
    /// # Errors
    /// When there is no such user.
    pub async fn client(&self, email: &str) -> anyhow::Result<TestClient> {
        let session = self.runtime.local_session(email).await?;
        let session = session.ok_or_else(|| anyhow::anyhow!("no user {email}"))?;
        Ok(TestClient::new(&self.url, &session.secret))
    }

    /// A client with the rights of a manager of the sample shop.
    ///
    /// # Errors
    /// When there is none.
    pub async fn manager(&self) -> anyhow::Result<TestClient> {
        self.client("mona@shop.test").await
    }

    /// A client with the rights of a sales person of the sample shop.
    ///
    /// # Errors
    /// When there is none.
    pub async fn sales(&self) -> anyhow::Result<TestClient> {
        self.client("sam@shop.test").await
    }
}
