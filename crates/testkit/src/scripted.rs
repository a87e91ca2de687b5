//! A language model that follows a script, behind a real OpenAI-compatible endpoint.

mod answer;
pub(crate) mod rule;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;

use self::rule::{Rule, Script};

/// A running scripted model. It ends when it is dropped.
#[derive(Debug)]
pub struct ScriptedModel {
    base_url: String,
    shared: Arc<Shared>,
    stop: tokio_util::sync::CancellationToken,
}

#[derive(Debug, Default)]
struct Shared {
    rules: Mutex<Vec<Rule>>,
    requests: Mutex<Vec<Value>>,
}

impl ScriptedModel {
    /// Starts on a free port of the loopback interface.
    ///
    /// # Errors
    /// When there is none.
    pub async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let base_url = format!("http://{}/v1", listener.local_addr()?);
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/v1/models", get(models))
            .route("/v1/chat/completions", post(complete))
            .route("/__script", post(set_script))
            .route("/__requests", get(requests))
            .with_state(Arc::clone(&shared));
        let stop = tokio_util::sync::CancellationToken::new();
        let stopped = stop.clone();
        TaskTracker::new().spawn(async move {
            let serving = axum::serve(listener, router);
            tokio::select! {
                _ = serving.into_future() => {}
                () = stopped.cancelled() => {}
            }
        });
        Ok(Self {
            base_url,
            shared,
            stop,
        })
    }

    /// The base URL, up to and including `/v1`.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Follows these rules from now on; the first that fits counts.
    pub fn script(&self, rules: Vec<Rule>) {
        *lock(&self.shared.rules) = rules;
    }

    /// The requests so far, as they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.shared.requests).clone()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn models() -> Json<Value> {
    Json(json!({"object": "list", "data": [{"id": "scripted", "object": "model"}]}))
}

async fn set_script(State(shared): State<Arc<Shared>>, Json(script): Json<Script>) -> Json<Value> {
    *lock(&shared.rules) = script.rules;
    lock(&shared.requests).clear();
    Json(json!({"ok": true}))
}

async fn requests(State(shared): State<Arc<Shared>>) -> Json<Value> {
    Json(lock(&shared.requests).clone().into())
}

async fn complete(State(shared): State<Arc<Shared>>, Json(request): Json<Value>) -> Response {
    lock(&shared.requests).push(request.clone());
    let reply = {
        let mut rules = lock(&shared.rules);
        let found = rules.iter_mut().find(|rule| rule.fits(&request));
        found.map(Rule::take)
    };
    let Some(reply) = reply else {
        return answer::respond(
            &rule::Reply::text("The script has no rule for this."),
            &request,
        );
    };
    if reply.hang {
        // Longer than any test waits.
        tokio::time::sleep(Duration::from_secs(3600)).await;
    }
    if let Some(status) = reply.status {
        let status = axum::http::StatusCode::from_u16(status)
            .unwrap_or(axum::http::StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (
            status,
            Json(json!({"error": {"message": "scripted failure"}})),
        )
            .into_response();
        if let Some(seconds) = reply.retry_after {
            response.headers_mut().insert("retry-after", seconds.into());
        }
        return response;
    }
    answer::respond(&reply, &request)
}
